// What shears and drives a periodic domain: the tables shear and stage of [domain].
#include "scene/tables.hpp"

namespace scree {
namespace {

/// `rate` and `stress`, one of them, and how a stress is held.
template <class S>
void add_drive_keys(TableOf<S>& t, const char* rate, const char* stress) {
    t.function("rate", &S::value, &SceneFunction::constant, is_plain, function_table(Dimension::Frequency), Dimension::Frequency, rate);
    t.function("stress", &S::value, &SceneFunction::constant, is_plain, function_table(Dimension::Pressure), Dimension::Pressure, stress);
    t.number("gain", &S::gain, Dimension::Number,
             "Of a stress: rate over what is missing, 1/(s Pa); 0: from the stiffness of the contacts, so that it is answered in 5 times "
             "of a contact.")
        .from(0)
        .only_for({"stress"});
    t.number("integral_time", &S::integral_time, Dimension::Time,
             "Of a stress: time in which what is missing adds itself once more; 0: 100 times of a contact.")
        .from(0)
        .only_for({"stress"});
    t.place(&S::place);
    t.one_of(
        {"rate", "stress"}, [](S& drive, const std::string& key) { drive.by = key; }, [](const S& drive) { return drive.by; });
}

TablePtr drive_table() {
    TableOf<SceneDrive> t("drive", "How a length of a periodic domain is driven.");
    add_drive_keys(t, "Strain rate, of the length as it is; negative: it shrinks.",
                   "Stress of the contacts that it is held at, above 0 where pressed; the length follows.");
    return t.build();
}

}  // namespace

TablePtr shear_table() {
    TableOf<SceneShear> t("shear",
                          "Simple shear of a periodic domain; walls are planes without friction, along both directions of the shear.");
    t.word("along", &SceneShear::along, {"x", "y", "z"}, "Direction in which what is above moves.").required();
    t.word("across", &SceneShear::across, {"x", "y", "z"}, "Direction along which the velocity grows.").required();
    add_drive_keys(t, "Velocity gradient; negative: against `along`.", "Shear stress that drives it, as far as the material bears less.");
    return t.build();
}

TablePtr stage_table() {
    TableOf<SceneStage> t(
        "stage",
        "What drives the lengths and the shear of a periodic domain up to a time; then the next stage, the last for good. "
        "What is not named is held. Stresses need a domain that is periodic along every axis, and the penalty method; axes without periods "
        "may "
        "have planes without friction.");
    t.number("to", &SceneStage::to, Dimension::Time, "Simulated time at which it ends.").above(0).infinite();
    t.optional_table("x", &SceneStage::x, drive_table(), "The length along x.");
    t.optional_table("y", &SceneStage::y, drive_table(), "The length along y.");
    t.optional_table("z", &SceneStage::z, drive_table(), "The length along z.");
    t.optional_table("shear", &SceneStage::shear, shear_table(), "The shear; of all stages along and across the same.");
    t.number(
         "max_rate", &SceneStage::max_rate, Dimension::Frequency,
         "Fastest rate of what stresses drive; 0: where the inertial number, rate times diameter times the root of density over stress, "
         "is 0.005.")
        .from(0);
    t.place(&SceneStage::place);
    t.check([](SceneStage& stage, const TableReading& reading) {
        if (!stage.x && !stage.y && !stage.z && !stage.shear) reading.fail("to", "a stage drives something: give x, y, z or shear");
    });
    return t.build();
}

}  // namespace scree
