"""Hooks of the site that mkdocs makes of docs/ (mkdocs.yml): links to files beside docs/, and the scenes of tutorials.

A link that leaves docs/ must lead to a file or folder of the repository; the site shows its name. A page of docs/guide that links to a scene
gets the whole scene at its end, and the link leads there.
"""
import logging
import os
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\./[^)#\s]+)(#[^)\s]*)?\)")
MARK = re.compile(r" *#@(?:grains .* of .*|(?:size|grains|material|method)\b) *(.*)$")
KATEX = Path("/usr/share/javascript/katex")
DRAW = """document.addEventListener("DOMContentLoaded", function () {
  document.querySelectorAll(".arithmatex").forEach(function (part) { renderMathInElement(part, { throwOnError: false }); });
});
"""
log = logging.getLogger("mkdocs.plugins.site_hooks")


def plain_scene(text):
    """The scene as `scree new` writes it: without its marks."""
    lines = []
    for line in text.splitlines():
        if line.startswith("#@"):
            continue
        found = MARK.search(line)
        if found:
            kept = line[:found.start()]
            line = f"{kept:<36} # {found.group(1)}" if found.group(1) else kept
        lines.append(line)
    return "\n".join(lines) + "\n"


def on_post_build(config):
    """Puts KaTeX, which draws formulas, into the site (Debian: libjs-katex)."""
    site = Path(config["site_dir"]) / "katex"
    site.mkdir(exist_ok=True)
    for name in ("katex.min.css", "katex.min.js", "contrib/auto-render.js"):
        shutil.copy(KATEX / name, site)
    shutil.copytree(KATEX / "fonts", site / "fonts", dirs_exist_ok=True, ignore=lambda folder, names: [n for n in names if not n.endswith(".woff2")])
    (site / "draw.js").write_text(DRAW)


def on_page_markdown(markdown, page, config, files):
    here = Path(config["docs_dir"]) / Path(page.file.src_path).parent
    scenes = []

    def leave(match):
        text, target, anchor = match.groups()
        path = Path(os.path.normpath(here / target))
        if Path(config["docs_dir"]) in path.parents:
            return match.group()
        if not path.exists():
            log.warning("%s: there is no %s", page.file.src_path, target)
        if path.suffix == ".toml" and page.file.src_path.startswith("guide/"):
            if path not in scenes:
                scenes.append(path)
            return f"[{text}](#the-scene-{path.stem})"
        name = path.relative_to(ROOT)
        return f"{text}" if str(name) in text.replace("`", "") else f"{text} (`{name}`)"

    markdown = LINK.sub(leave, markdown)
    for path in scenes:
        markdown += f"\n\n## The scene {path.stem}\n\n```toml\n{plain_scene(path.read_text())}```\n"
    return markdown
