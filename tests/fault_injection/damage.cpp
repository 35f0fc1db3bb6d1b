/// Files of a model_dir that are damaged between two runs.
#include "tests/fault_injection/damage.hpp"

#include "tests/fault_injection/fault.hpp"

namespace weft::fault_injection {
namespace {

namespace fs = std::filesystem;

std::string inflict(std::string text, Damage how, test::Rng& rng) {
  if (text.empty()) return text;
  const auto at = rng.below(static_cast<std::uint32_t>(text.size()));
  switch (how) {
    case Damage::Flip:
      text[at] = static_cast<char>(text[at] ^ (1 << rng.below(8)));
      break;
    case Damage::Cut:
      text.resize(at);
      break;
    case Damage::Empty:
      text.clear();
      break;
    case Damage::Nul:
      text.replace(at, rng.chance(50) ? 3 : 0, std::string(1 + rng.below(3), '\0'));
      break;
  }
  return text;
}

/// Damages checkpoints. The program must skip and name a damaged one; if none is intact, it must not start.
class Checkpoints : public Fault {
 public:
  explicit Checkpoints(How how) : how_(how) {}
  bool before(Session& session) override {
    Scene& scene = session.scene;
    const std::vector<int> steps = scene.checkpoints(scene.model());
    const bool all = scene.rng.chance(20);
    for (const int step : steps) {
      if (!all && step != steps.back()) continue;
      const std::string file = scene.in_model(checkpoint_name(step));
      scene.damaged[file] = damage_file(scene, file, how_);
      files_.push_back(file);
    }
    session.first = scene.newest();
    session.codes.insert(2);
    return true;
  }
  void after(Session& session, const End& end) override {
    if (!session.alone) return;
    session.expect(end.code != 0 || end.out.find("skipped ") != std::string::npos,
                   "goes on without a word of the damaged checkpoint");
    session.expect(end.code == 0 || session.first == 0, "is refused although there is a whole checkpoint");
  }
  void mend(Session& session) override {
    for (const std::string& file : files_) {
      if (checkpoint::text_of(file) == session.scene.damaged[file]) fs::remove(file);
      session.scene.damaged.erase(file);
    }
  }

 private:
  How how_;
  std::vector<std::string> files_;
};

class VocabularyDamaged : public Fault {
 public:
  explicit VocabularyDamaged(How how) : how_(how) {}
  bool before(Session& session) override {
    const std::string file = session.scene.in_model("vocab.json");
    if (!fs::exists(file)) return false;
    whole_ = checkpoint::text_of(file);
    damage_file(session.scene, file, how_);
    session.codes.insert(2);
    session.names = {"vocab"};  // the error may also name a character that is no longer in the file
    return true;
  }
  void after(Session& session, const End& end) override {
    session.expect(end.code != 0, "trains with a damaged vocab.json");
  }
  void mend(Session& session) override { checkpoint::write_text(session.scene.in_model("vocab.json"), whole_); }

 private:
  How how_;
  std::string whole_;
};

}  // namespace

std::string damaged(const std::string& text, How how, test::Rng& rng) {
  const std::uint32_t of_ten = rng.below(10);
  const Damage drawn = of_ten < 6 ? Damage::Flip : of_ten < 9 ? Damage::Cut : Damage::Empty;
  return inflict(text, how.value_or(drawn), rng);
}

std::string damage_file(Scene& scene, const std::string& file, How how) {
  const std::string before = checkpoint::text_of(file);
  std::string now = before;
  for (int i = 0; i < 20 && now == before; ++i) now = damaged(before, how, scene.rng);
  checkpoint::write_text(file, now);
  scene.log("damaged: ", file);
  return now;
}

std::unique_ptr<Fault> damaged_checkpoints(How how) { return std::make_unique<Checkpoints>(how); }
std::unique_ptr<Fault> damaged_vocabulary(How how) { return std::make_unique<VocabularyDamaged>(how); }

std::vector<Kind> damage_kinds() {
  return {kind<Checkpoints>("checkpoint damaged", Kind::Saved, How()),
          kind<VocabularyDamaged>("vocabulary damaged", Kind::Saved | Kind::Text | Kind::Alone, How())};
}

}  // namespace weft::fault_injection
