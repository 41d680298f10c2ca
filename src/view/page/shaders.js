// Balls as flat squares on which a ray meets a sphere, disks of plane scenes, solids by their triangles, and rods; each drawn once for all of
// its kind. What lies outside of the box cutLow .. cutHigh by its centre, or has a colour without opacity, is not drawn.

const head = `#version 300 es
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cutLow, cutHigh;
uniform float bodySize, flatScene;
`;

const vertexCommon = `
in vec3 position;
in vec4 colour;
out vec4 tint;
const vec4 nowhere = vec4(2.0, 2.0, 2.0, 1.0);
bool isCut(vec3 p) { return any(lessThan(p, cutLow)) || any(greaterThan(p, cutHigh)); }
vec3 turned(vec4 q, vec3 v) { vec3 t = 2.0 * cross(q.xyz, v); return v + q.w * t + cross(q.xyz, t); }
`;

const light = `
vec3 lit(vec3 base, vec3 n) {
  float sun = max(0.0, dot(n, vec3(-0.39, 0.55, 0.74)));
  float sky = 0.5 + 0.5 * n.y;
  float rim = 0.35 * pow(1.0 - clamp(n.z, 0.0, 1.0), 3.0);
  return base * (0.40 + 0.17 * sky + 0.52 * sun - rim);
}
`;

// Where the ray `ray` from `from` meets the ball: its depth and light.
const meeting = `
  vec3 away = centre - from;
  float along = dot(away, ray);
  vec3 beside = away - along * ray;
  float left = radius * radius - dot(beside, beside);
  if (left < 0.0) discard;
  vec3 p = from + (along - sqrt(left)) * ray;
  vec2 clip = vec2(projectionMatrix[2][2] * p.z + projectionMatrix[3][2], projectionMatrix[2][3] * p.z + projectionMatrix[3][3]);
  gl_FragDepth = 0.5 * clip.x / clip.y + 0.5;
  pixel = vec4(lit(tint.rgb, (p - centre) / radius), 1.0);
}`;

export const balls = {
  vertex: head + vertexCommon + `
in vec4 place;
out vec3 at;
flat out vec3 centre;
flat out float radius;
void main() {
  radius = place.w * bodySize;
  if (colour.a == 0.0 || radius <= 0.0 || isCut(place.xyz)) { gl_Position = nowhere; return; }
  tint = colour;
  centre = (viewMatrix * vec4(place.xyz, 1.0)).xyz;
  vec3 toEye = vec3(0.0, 0.0, 1.0);
  float size = radius;
  if (projectionMatrix[3][3] == 0.0) {
    float d = length(centre);
    if (d <= radius * 1.0001) { gl_Position = nowhere; return; }
    toEye = -centre / d;
    size = radius * d / sqrt(d * d - radius * radius);
  }
  vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), toEye)), up = cross(toEye, right);
  at = centre + size * (position.x * right + position.y * up);
  gl_Position = projectionMatrix * vec4(at, 1.0);
}`,
  fragment: head + light + `
in vec3 at;
in vec4 tint;
flat in vec3 centre;
flat in float radius;
out vec4 pixel;
void main() {
  bool perspective = projectionMatrix[3][3] == 0.0;
  vec3 ray = perspective ? normalize(at) : vec3(0.0, 0.0, -1.0);
  vec3 from = perspective ? vec3(0.0) : vec3(at.xy, 0.0);
` + meeting,
};

// The same where balls are few pixels wide: as round and lit, but at the depth of their centres, which graphics cards and software do faster.
export const smallBalls = {
  vertex: head + vertexCommon + `
in vec4 place;
out vec2 at;
void main() {
  float radius = place.w * bodySize;
  if (colour.a == 0.0 || radius <= 0.0 || isCut(place.xyz)) { gl_Position = nowhere; return; }
  tint = colour;
  at = position.xy;
  vec4 centre = viewMatrix * vec4(place.xyz, 1.0);
  gl_Position = projectionMatrix * (centre + vec4(radius * position.xy, 0.0, 0.0));
}`,
  fragment: head + light + `
in vec2 at;
in vec4 tint;
out vec4 pixel;
void main() {
  float left = 1.0 - dot(at, at);
  if (left < 0.0) discard;
  pixel = vec4(lit(tint.rgb, vec3(at, sqrt(left))), 1.0);
}`,
};

// And as points, one corner to a ball: software draws each instance as if it were all there is, which takes 20 microseconds. At the edges of
// the picture a ball goes as its centre does.
export const points = (small) => ({
  vertex: head + vertexCommon.replace("in vec3 position", "in vec4 position") + `
uniform vec2 pixels;
flat out vec3 centre;
flat out float radius;
void main() {
  radius = position.w * bodySize;
  gl_PointSize = 1.0;
  if (colour.a == 0.0 || radius <= 0.0 || isCut(position.xyz)) { gl_Position = nowhere; return; }
  tint = colour;
  centre = (viewMatrix * vec4(position.xyz, 1.0)).xyz;
  gl_Position = projectionMatrix * vec4(centre, 1.0);
  gl_PointSize = ${small ? "1.0" : "1.15"} * radius * projectionMatrix[1][1] * pixels.y / gl_Position.w;
}`,
  fragment: head + light + `
uniform vec2 pixels;
in vec4 tint;
flat in vec3 centre;
flat in float radius;
out vec4 pixel;
void main() {` + (small ? `
  vec2 at = vec2(2.0, -2.0) * (gl_PointCoord - 0.5);
  float left = 1.0 - dot(at, at);
  if (left < 0.0) discard;
  pixel = vec4(lit(tint.rgb, vec3(at, sqrt(left))), 1.0);
}` : `
  vec2 place = (2.0 * gl_FragCoord.xy / pixels - 1.0) / vec2(projectionMatrix[0][0], projectionMatrix[1][1]);
  bool perspective = projectionMatrix[3][3] == 0.0;
  vec3 ray = perspective ? normalize(vec3(place, -1.0)) : vec3(0.0, 0.0, -1.0);
  vec3 from = perspective ? vec3(0.0) : vec3(place, 0.0);
` + meeting),
});

// In the plane z = 0: a rim, and a stroke that shows how the disk is turned.
export const disks = {
  vertex: head + vertexCommon + `
in vec4 place;
in vec4 turn;
out vec2 at;
flat out vec2 stroke;
flat out float radius;
void main() {
  radius = place.w * bodySize;
  if (colour.a == 0.0 || radius <= 0.0 || isCut(place.xyz)) { gl_Position = nowhere; return; }
  tint = colour;
  at = position.xy;
  stroke = turn == vec4(0.0) ? vec2(0.0) : turned(turn, vec3(1.0, 0.0, 0.0)).xy;
  gl_Position = projectionMatrix * viewMatrix * vec4(place.xyz + radius * vec3(position.xy, 0.0), 1.0);
}`,
  fragment: head + `
in vec2 at;
in vec4 tint;
flat in vec2 stroke;
flat in float radius;
out vec4 pixel;
void main() {
  float r = length(at);
  if (r > 1.0) discard;
  float dark = r > 0.9 ? 0.45 : 1.0;
  float along = dot(at, stroke), beside = abs(at.x * stroke.y - at.y * stroke.x);
  if (stroke != vec2(0.0) && along > 0.0 && beside < 0.06) dark = 0.45;
  pixel = vec4(tint.rgb * dark, 1.0);
}`,
};

export const solids = {
  vertex: head + vertexCommon + `
in vec3 normal;
in vec4 place;
in vec4 turn;
out vec3 facing;
void main() {
  if (colour.a == 0.0 || isCut(place.xyz)) { gl_Position = nowhere; return; }
  tint = colour;
  facing = mat3(viewMatrix) * turned(turn, normal);
  gl_Position = projectionMatrix * viewMatrix * vec4(place.xyz + place.w * bodySize * turned(turn, position), 1.0);
}`,
  fragment: head + light + `
in vec4 tint;
in vec3 facing;
out vec4 pixel;
void main() { pixel = vec4(flatScene > 0.5 ? tint.rgb : lit(tint.rgb, normalize(facing)), 1.0); }`,
};

export const rods = {
  vertex: head + vertexCommon + `
in vec4 end;
in vec4 other;
out vec3 facing;
void main() {
  if (isCut(end.xyz) || isCut(other.xyz)) { gl_Position = nowhere; return; }
  tint = colour;
  vec3 axis = other.xyz - end.xyz;
  float size = length(axis);
  axis = size > 0.0 ? axis / size : vec3(0.0, 0.0, 1.0);
  vec3 u = normalize(cross(axis, abs(axis.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0))), v = cross(axis, u);
  vec3 across = position.x * u + position.y * v;
  facing = mat3(viewMatrix) * across;
  gl_Position = projectionMatrix * viewMatrix * vec4(mix(end.xyz, other.xyz, position.z) + end.w * across, 1.0);
}`,
  fragment: solids.fragment,
};

// Walls end at the cut; both sides are seen.
export const walls = {
  vertex: head + `
in vec3 position;
out vec3 world;
out vec3 seen;
void main() {
  world = position;
  vec4 p = viewMatrix * vec4(position, 1.0);
  seen = p.xyz;
  gl_Position = projectionMatrix * p;
}`,
  fragment: head + `
in vec3 world;
in vec3 seen;
uniform vec3 wallColour;
uniform float opacity;
out vec4 pixel;
void main() {
  if (any(lessThan(world, cutLow)) || any(greaterThan(world, cutHigh))) discard;
  vec3 n = normalize(cross(dFdx(seen), dFdy(seen)));
  pixel = vec4(wallColour * (0.62 + 0.38 * abs(dot(n, vec3(-0.39, 0.55, 0.74)))), opacity);
}`,
};

export const lines = {
  vertex: walls.vertex,
  fragment: head + `
in vec3 world;
uniform vec3 wallColour;
uniform float opacity;
out vec4 pixel;
void main() {
  if (any(lessThan(world, cutLow)) || any(greaterThan(world, cutHigh))) discard;
  pixel = vec4(wallColour, opacity);
}`,
};

// A picture that is there already, with its depths.
export const layer = {
  vertex: head + `
in vec3 position;
void main() { gl_Position = vec4(position, 1.0); }`,
  fragment: head + `
precision highp sampler2D;
uniform sampler2D image, depths;
out vec4 pixel;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(depths, at, 0).r;
  if (depth > 1.0) discard;
  gl_FragDepth = depth;
  pixel = texelFetch(image, at, 0);
}`,
};
