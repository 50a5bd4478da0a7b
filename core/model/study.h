// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/goal.h"
#include "core/model/model_ref.h"
#include "core/model/search_space.h"
#include "core/model/trial.h"

#include <map>
#include <optional>
#include <tuple>

namespace apertune::model {

/// Advantage of one trial over another.
struct Margin
{
    TrialId over{};
    Interval ratio{1, 1, 1, 0}; ///< ratio of the objective; > 1 is better
    Verdict verdict = Verdict::cannotTell;
};

/// The recommended trial and its gain. It is computed from the trials and never stored.
struct Recommendation
{
    TrialId trial{};
    Interval speedup;                      ///< objective ratio against `against`, > 1 is better
    TrialId against{};                     ///< trial that the speed-up refers to (search::recommend()); 0: none
    Verdict verdict = Verdict::cannotTell; ///< verdict on the speedup, with the known noise floor
    std::optional<Margin> runnerUp{};      ///< the next best trial that may be used
};

/// The result of a check of devices that work at the same time.
enum class InterferenceVerdict {
    undisturbed, ///< no device is slowed down by more than the bound
    disturbed,   ///< one of them is
    cannotTell,  ///< the interval of one of them holds the bound, or nothing could be measured
};
std::string_view toString(InterferenceVerdict verdict); ///< "undisturbed", "disturbed", "cannot_tell"
std::optional<InterferenceVerdict> interferenceVerdictFromString(std::string_view text);

/// Times of one configuration on each device: alone, and while the other devices run theirs, in turns. It decides
/// whether a study measures these devices side by side.
struct Interference
{
    struct Slowdown
    {
        std::string device;
        Config config;
        Interval ratio;         ///< time beside the others over time alone; > 1: slowed down
        std::int64_t pairs = 0; ///< pairs of blocks
    };
    InterferenceVerdict verdict = InterferenceVerdict::cannotTell;
    double bound = 0; ///< largest ratio less one with which devices may work side by side
    std::vector<Slowdown> slowdowns;
    base::Message text; ///< verdict and figures in one sentence
};

enum class StudyState { running = 0, finished = 1, interrupted = 2 };
std::string_view toString(StudyState state);

inline constexpr double kDefaultTarget = 0.01;

/// The kind of time that a budget counts. Stored as the number.
enum class BudgetKind {
    wall = 0, ///< the time that passes, all included: loading, converting, compiling, reference outputs, confirming
    measuring = 1, ///< the time of trials and of the confirmation, without converting and compiling
};

/// Budget of a study that measures on, and its longest wait for a quiet machine, where the user names none. Both are
/// whole minutes.
inline constexpr base::Nanoseconds kMoreBudget = base::fromSeconds(120);
inline constexpr base::Nanoseconds kQuietWait = base::fromSeconds(600);

/// Why a study was measured. Stored as the number.
enum class StudyPurpose {
    tuning = 0,       ///< a user tunes a model
    verification = 1, ///< tries the change that a finding advises
    claim = 2,        ///< measures what a guide claims
    memory = 3,       ///< measures the peaks that calibrate an estimate of memory
    imported = 4,     ///< holds what another tool measured; its trials rank with none of this machine
};
std::string_view toString(StudyPurpose purpose); ///< "tuning", "verification", "claim", "memory", "imported"

/// A sweep: a model, a goal, a search space and the environment of the measurements.
struct Study
{
    StudyId id{};
    std::string uuid;
    std::string name; ///< "resnet50 · study 3"
    ModelRef model;
    Goal goal;
    SearchSpace space;
    base::Nanoseconds budget{}; ///< requested time; 0: unlimited
    BudgetKind budgetKind = BudgetKind::wall;
    StudyPurpose purpose = StudyPurpose::tuning;
    double target =
        kDefaultTarget; ///< relative half-width of the median's interval at which a configuration is measured enough
    Environment environment;
    StudyState state = StudyState::running;
    std::string createdUtc;
    std::string finishedUtc;
    std::string commandLine;                    ///< command line that repeats the study
    std::optional<Interference> interference{}; ///< latest check; nullopt where no devices could work side by side
};

/// Returns the class of the machine that measured a trial of the study (machineClass()).
std::string machineOf(const Study& study, const Trial& trial);

/// Noise floor of a machine: the smallest difference that it can show, from A/A tests.
struct NoiseCertificate
{
    std::string machine; ///< machineKey()
    std::string protocol;
    double effect = 0; ///< |ratio − 1| that nearly all comparisons stay below (stats::noiseFloor())
    std::int64_t comparisons = 0;
    std::string measuredUtc; ///< time of the latest A/A test
};

/// Returns the key of host and device for which a noise certificate is valid.
std::string machineKey(const Environment& environment, const Device& device);
/// Returns the name of a study's target for the interval's half-width: "publish" (0.5 % and finer), "normal" (1 %),
/// "quick".
std::string protocolOf(double target);
/// Parses a target: "quick", "normal", "publish" or a share ("1%", "0.01").
/// Failures: invalidArgument.
base::Result<double> targetFromText(const std::string& name, const std::string& text);

/// Best trial for a further objective of a goal. Empty when no trial meets the goal.
struct FurtherBest
{
    Objective objective = Objective::latency;
    std::optional<Recommendation> recommended{};
};

/// A study with its trials in ordinal order, for views, reports and comparisons. It does not change once shared.
struct StudySnapshot
{
    Study study;
    std::vector<Trial> trials;
    std::optional<Recommendation> recommended{};
    /// Where measured trials keep to the goal and none of them is recommended, because they took no turns: the
    /// candidates, the best first, each with its own gain. Candidates of several machine classes are the best ones of
    /// each, and take no order. Empty otherwise (search::addRecommendations()).
    std::vector<Recommendation> shortlist{};
    std::vector<FurtherBest> also{};       ///< best trials for Goal::also, in its order
    std::vector<NoiseCertificate> noise{}; ///< certificates of the study's devices that the workspace has now
    std::filesystem::path workspace{};     ///< file that the study was loaded from; empty where it was not

    const Trial* find(TrialId id) const;
    /// The recommendation, else the first of the shortlist; null where there is neither.
    const Recommendation* leading() const;
    const Trial* leadingTrial() const; ///< its trial, or null
    const Device* device(const std::string& id) const;
    /// The device that measured a trial; null where the environment does not describe it, as for a trial of a machine
    /// of another class.
    const Device* deviceOf(const Trial& trial) const;
    double noiseFloor() const; ///< the largest effect of the certificates; 0: none
};

/// The switches that all trials of a study with the same engine, level and precision on a device share. They stand for
/// the level's own switches in switchMarks(), for engines whose levels core does not know.
class CommonSwitches
{
public:
    CommonSwitches() = default; ///< belongs to no study and is empty for every trial
    explicit CommonSwitches(const StudySnapshot& snapshot);

    const SwitchMap& of(const Trial& trial) const; ///< empty for a trial of another study

private:
    using Group = std::tuple<std::string, OptLevel, Precision, std::string>;
    static Group groupOf(const Trial& trial);

    std::map<Group, SwitchMap> m_common;
};

} // namespace apertune::model
