// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <stdexcept>

namespace apertune::cli::test {

struct Ran
{
    int code = -1; ///< minus the signal when one ended it
    std::string out;
    std::string err;

    /// Whether a sweep came to its end, be something better than the model as loaded (0) or not (4): a busy machine
    /// decides that for models that are scripted to be equally fast.
    bool swept() const { return code == 0 || code == 4; }

    base::Json document() const
    {
        const auto json = model::parseJson(out);
        EXPECT_TRUE(json) << "stdout is not one JSON document:\n" << out << "\nstderr:\n" << err;
        return json ? *json : base::Json::object();
    }
};

/// A running `apertune` whose output is collected.
class Running
{
public:
    explicit Running(base::ChildProcess child) : m_child(std::move(child)) { m_child.closeStdin(); }

    /// Waits until `text` stands on stderr. Returns false when the program ended, or after five minutes.
    bool waitForStderr(const std::string& text)
    {
        return pump([&] { return m_ran.err.find(text) != std::string::npos; }, base::fromSeconds(300));
    }
    /// Waits like waitForStderr() until `file` is there, such as one that a fault of a script leaves ("once").
    bool waitForFile(const std::filesystem::path& file)
    {
        return pump([&] { return std::filesystem::exists(file); }, base::fromSeconds(300));
    }
    void signal(int number) const { ::kill(m_child.pid(), number); }
    int pid() const { return m_child.pid(); }
    bool ended()
    {
        return pump([&] { return m_exit.has_value(); }, base::fromSeconds(0.01));
    }

    Ran finish(base::Nanoseconds limit = base::fromSeconds(300))
    {
        pump([&] { return m_exit.has_value(); }, limit);
        drain();
        if (!m_exit)
            ADD_FAILURE() << "apertune does not end\n" << m_ran.err;
        else
            m_ran.code = m_exit->signal ? -m_exit->signal : m_exit->code;
        return m_ran;
    }

private:
    template <typename Done>
    bool pump(Done done, base::Nanoseconds limit)
    {
        const auto deadline = base::monotonicNow() + limit;
        while (base::monotonicNow() < deadline) {
            if (!m_exit)
                m_exit = m_child.poll();
            drain();
            if (done())
                return true;
            if (m_exit)
                return false;
            pollfd fds[2] = {{m_child.stdoutFd(), POLLIN, 0}, {m_child.stderrFd(), POLLIN, 0}};
            ::poll(fds, 2, 20);
        }
        return false;
    }
    void drain()
    {
        for (const auto& [fd, text] : {std::pair{m_child.stdoutFd(), &m_ran.out}, {m_child.stderrFd(), &m_ran.err}}) {
            char buffer[4096];
            for (ssize_t n; (n = ::read(fd, buffer, sizeof buffer)) > 0;)
                text->append(buffer, static_cast<std::size_t>(n));
        }
    }
    base::ChildProcess m_child;
    std::optional<base::ChildExit> m_exit;
    Ran m_ran;
};

/// Runs the built program on scripted models (plugins/fake/fake.md) in a home of its own.
class Program
{
public:
    Program() : m_dir(std::move(base::TemporaryDir::create("cli-test")).value()) {}

    const std::filesystem::path& dir() const { return m_dir.path(); }
    std::string store() const { return (dir() / "w.apertune").string(); }

    /// A model artifact whose behaviour is `script`; its path.
    std::string model(const std::string& name, const base::Json& script, const std::string& source = {}) const
    {
        const base::Json manifest = {{"schema", "apertune.model/1"},
                                     {"name", name},
                                     {"source", source.empty() ? "fake:" + name : source},
                                     {"family", "classification"},
                                     {"content_hash", "hash of " + name},
                                     {"torch", "2.11.0"},
                                     {"inputs",
                                      {{{"name", "x"},
                                        {"dtype", "float32"},
                                        {"shape", {1, 3, 4, 4}},
                                        {"batch_dim", 0},
                                        {"file", "inputs/0.bin"},
                                        {"samples", 8}}}},
                                     {"outputs", base::Json::array()},
                                     {"dynamic_batch", true},
                                     {"files", {{"torchscript", {{"path", "model.ts.pt"}}}, {"exported", nullptr}}}};
        const auto folder = dir() / name;
        write(folder / "manifest.json", manifest.dump());
        write(folder / "fake.json", script.dump());
        write(folder / "model.ts.pt", "no model");
        write(folder / "inputs/0.bin", "no input");
        return folder.string();
    }

    static void write(const std::filesystem::path& file, const std::string& text)
    {
        const auto written = base::writeFileAtomically(file, text);
        ASSERT_TRUE(written) << sentences::sentence(written.error().message);
    }

    /// `apertune arguments… --store FILE`
    Running start(std::vector<std::string> arguments, bool withStore = true) const
    {
        arguments.insert(arguments.begin(), (base::installPrefix() / "bin" / "apertune").string());
        if (withStore)
            arguments.insert(arguments.end(), {"--store", store()});
        return launch(std::move(arguments));
    }
    /// A line of shell in which $0 is the program.
    Ran shell(const std::string& line) const
    {
        return launch({"/bin/sh", "-c", line, (base::installPrefix() / "bin" / "apertune").string()}).finish();
    }
    Running launch(std::vector<std::string> arguments) const
    {
        auto child = base::ChildProcess::start({arguments, environment()});
        if (!child) // The exception ends the test, which cannot go on without the program.
            throw std::runtime_error(sentences::sentence(child.error().message));
        return Running(std::move(*child));
    }
    Ran run(const std::vector<std::string>& arguments, bool withStore = true) const
    {
        return start(arguments, withStore).finish();
    }

    /// Runs `apertune arguments… --store FILE` on a terminal of its own, on which somebody has typed `typed`. Ran::out
    /// is all that the terminal got.
    Ran runOnTerminal(std::vector<std::string> arguments, const std::string& columns = {},
                      const std::string& typed = {}) const
    {
        arguments.insert(arguments.end(), {"--store", store()});
        return launchOnTerminal(std::move(arguments), columns, typed);
    }
    /// Runs `apertune` without a word, on a terminal of its own.
    Ran runAloneOnTerminal() const { return launchOnTerminal({}, {}, {}); }

private:
    Ran launchOnTerminal(std::vector<std::string> arguments, const std::string& columns, const std::string& typed) const
    {
        arguments.insert(arguments.begin(), (base::installPrefix() / "bin" / "apertune").string());
        std::vector<char*> words;
        for (std::string& word : arguments)
            words.push_back(word.data());
        words.push_back(nullptr);
        auto changes = environment();
        changes["COLUMNS"] = columns.empty() ? std::nullopt : std::optional(columns);
        winsize size{40, 120, 0, 0};
        int terminal = -1;
        const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
        if (child == 0) {
            for (const auto& [name, value] : changes)
                value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
            ::execv(words[0], words.data());
            ::_exit(127);
        }
        Ran ran;
        if (child < 0)
            throw std::runtime_error("There is no pseudo-terminal.");
        if (::write(terminal, typed.data(), typed.size()) != static_cast<ssize_t>(typed.size()))
            throw std::runtime_error("Nothing can be typed on the pseudo-terminal.");
        char buffer[4096];
        for (ssize_t n; (n = ::read(terminal, buffer, sizeof buffer)) > 0;) // ends when the last writer has ended
            ran.out.append(buffer, static_cast<std::size_t>(n));
        int status = 0;
        ::waitpid(child, &status, 0);
        ::close(terminal);
        ran.code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
        return ran;
    }

public:
    /// A sweep of a scripted model, small enough for a test; `more` replaces or adds options. What is measured ends by
    /// its target; the budget is many times what two configurations take on an idle machine, so that a busy one leaves
    /// none out.
    std::vector<std::string> tune(const std::string& model, std::vector<std::string> more = {}) const
    {
        const auto asks = [&more](const std::string& option) {
            return std::find(more.begin(), more.end(), option) != more.end();
        };
        std::vector<std::string> words{"tune", model};
        for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"--backends", "fake"},
                                                                                          {"--devices", "cpu"},
                                                                                          {"--precisions", "fp32"},
                                                                                          {"--batches", "1"},
                                                                                          {"--threads", "1"},
                                                                                          {"--target", "50%"}})
            if (!asks(name))
                words.insert(words.end(), {name, value});
        if (!asks("--budget") && !asks("--measuring-budget"))
            words.insert(words.end(), {"--budget", "20s"});
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }

    std::optional<std::string> python{}; ///< APERTUNE_PYTHON of the program
    /// Whether studies confirm their winner at length, measure the noise floor and wait for a quiet machine, which is
    /// most of the time of a sweep. Only tests that ask for their results need it.
    bool confirms = false;

private:
    std::map<std::string, std::optional<std::string>> environment() const
    {
        return {{"HOME", dir().string()},
                {"XDG_DATA_HOME", (dir() / "data").string()},
                {"XDG_CACHE_HOME", (dir() / "cache").string()},
                {"APERTUNE_PYTHON", python},
                {"APERTUNE_TEST_BRIEF", confirms ? std::nullopt : std::optional<std::string>("1")},
                {"APERTUNE_TORCH", std::nullopt}};
    }

    base::TemporaryDir m_dir;
};

/// Passes sleep, and O0 and O1 are further apart than what a busy machine adds to a sleep: it turns no order of them.
inline base::Json fastScript(double latencyMs = 20)
{
    return {{"latency_ms", latencyMs}, {"per_sample_ms", 0.1}, {"levels", {{"O1", 0.2}}}, {"noise", 0.01}};
}

} // namespace apertune::cli::test
