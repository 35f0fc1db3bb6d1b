/// Files of a model_dir that are damaged between two runs.
#include "tests/abuse/damage.hpp"

#include <sys/stat.h>

#include <optional>
#include <sstream>

#include "tests/abuse/abuse.hpp"
#include "tests/abuse/judge.hpp"

namespace weft::abuse {
namespace {

namespace fs = std::filesystem;

using How = std::optional<Damage>;  // none: any

std::string damaged_file(Session& session, const std::string& file, How how) {
  Scene& scene = session.scene;
  const std::string before = text_of(file);
  std::string now = before;
  for (int i = 0; i < 20 && now == before; ++i) now = damaged(before, how ? *how : draw_damage(scene.dice), scene.dice);
  write_text(file, now);
  scene.log("damaged: ", file);
  return now;
}

/// A damaged one is passed over and named; without a whole one nothing starts.
class Checkpoints : public Abuse {
 public:
  explicit Checkpoints(How how) : how_(how) {}
  bool before(Session& session) override {
    Scene& scene = session.scene;
    const std::vector<int> steps = scene.checkpoints(scene.model());
    const bool all = scene.dice.chance(20);
    for (const int step : steps) {
      if (!all && step != steps.back()) continue;
      const std::string file = scene.in_model(checkpoint_name(step));
      scene.damaged[file] = damaged_file(session, file, how_);
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
      if (text_of(file) == session.scene.damaged[file]) fs::remove(file);
      session.scene.damaged.erase(file);
    }
  }

 private:
  How how_;
  std::vector<std::string> files_;
};

class VocabularyDamaged : public Abuse {
 public:
  explicit VocabularyDamaged(How how) : how_(how) {}
  bool before(Session& session) override {
    const std::string file = session.scene.in_model("vocab.json");
    if (!fs::exists(file)) return false;
    whole_ = text_of(file);
    damaged_file(session, file, how_);
    session.codes.insert(2);
    session.names = {"vocab.json"};
    return true;
  }
  void after(Session& session, const End& end) override {
    session.expect(end.code != 0, "trains with a damaged vocab.json");
  }
  void mend(Session& session) override { write_text(session.scene.in_model("vocab.json"), whole_); }

 private:
  How how_;
  std::string whole_;
};

/// Refused as it is, if a line up to the checkpoint cannot be read as what it was.
class MetricsDamaged : public Abuse {
 public:
  explicit MetricsDamaged(How how) : how_(how) {}
  bool before(Session& session) override {
    Scene& scene = session.scene;
    const std::string file = scene.in_model("metrics.jsonl");
    if (scene.metrics_from > 1 || !fs::is_regular_file(file)) return false;
    whole_ = text_of(file);
    now_ = scene.damaged[file] = damaged_file(session, file, how_);
    std::istringstream lines(now_);
    std::string line;
    for (int step = 1; step <= session.first; ++step) {
      const auto object = std::getline(lines, line) ? metrics_line(line) : nlohmann::json();
      readable_ &= object.is_object() && object.contains("step") && object["step"] == step;
    }
    session.codes.insert(2);
    session.names = {"metrics.jsonl"};
    return true;
  }
  void after(Session& session, const End& end) override {
    const std::string file = session.scene.in_model("metrics.jsonl");
    session.expect(readable_ || end.code != 0, "goes on with damaged metrics");
    session.expect(end.code != 2 || !session.alone || text_of(file) == now_, "replaces metrics that it refuses");
  }
  /// His own lines up to the old checkpoint, and what the run has added.
  void mend(Session& session) override {
    const std::string file = session.scene.in_model("metrics.jsonl");
    std::string text;
    std::istringstream old(whole_), added(text_of(file));
    for (std::string line; std::getline(old, line);) {
      if (metrics_line(line).value("step", 0) <= session.first) text += line + "\n";
    }
    for (std::string line; std::getline(added, line);) {
      const auto object = metrics_line(line);
      if (object.is_object() && object.contains("step") && object["step"] > session.first) text += line + "\n";
    }
    write_text(file, text);
    session.scene.damaged.erase(file);
    judge_folder(session.scene, session.scene.model(), true);
  }

 private:
  How how_;
  std::string whole_, now_;
  bool readable_ = true;
};

/// metrics.jsonl is a pipe or a folder, and stays it.
class NoFile : public Abuse {
 public:
  explicit NoFile(bool folder) : folder_(folder) {}
  bool before(Session& session) override {
    const std::string file = session.scene.in_model("metrics.jsonl");
    if (fs::exists(file)) fs::rename(file, file + ".old");
    fs::create_directories(session.scene.model());
    session.was_there = true;
    if (folder_) {
      fs::create_directory(file);
    } else if (mkfifo(file.c_str(), 0666) != 0) {
      return false;
    }
    session.codes.insert(2);
    session.names = {"metrics.jsonl"};
    return true;
  }
  void after(Session& session, const End& end) override {
    const std::string file = session.scene.in_model("metrics.jsonl");
    session.expect(end.code != 0, "trains without a file for its metrics");
    session.expect(folder_ ? fs::is_directory(file) : fs::is_fifo(file), "replaces what is no file of its own");
  }
  void mend(Session& session) override {
    const std::string file = session.scene.in_model("metrics.jsonl");
    fs::remove(file);
    if (fs::exists(file + ".old")) fs::rename(file + ".old", file);
  }

 private:
  bool folder_;
};

}  // namespace

std::unique_ptr<Abuse> nul_in_model(test::Dice& dice, bool text) {
  const auto which = dice.below(text ? 3 : 2);
  if (which == 0) return std::make_unique<Checkpoints>(Damage::Nul);
  if (which == 1) return std::make_unique<MetricsDamaged>(Damage::Nul);
  return std::make_unique<VocabularyDamaged>(Damage::Nul);
}

std::vector<Kind> damage_kinds() {
  return {kind<Checkpoints>("checkpoint damaged", Kind::Saved, How()),
          kind<VocabularyDamaged>("vocabulary damaged", Kind::Saved | Kind::Text | Kind::Alone, How()),
          kind<MetricsDamaged>("metrics damaged", Kind::Saved, How()),
          kind<NoFile>("metrics a pipe", Kind::Alone, false), kind<NoFile>("metrics a folder", Kind::Alone, true)};
}

}  // namespace weft::abuse
