// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/temporary_dir.h"
#include "core/store/store.h"
#include "core/worker/installation.h"
#include "tests/support/environment_variables.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace apertune::models::testing {

/// A private home with a workspace and, in place of Python, a shell script that speaks like the exporter.
class FakeExporter
{
public:
    FakeExporter()
    {
        for (const char* name : {"XDG_DATA_HOME", "XDG_CACHE_HOME"})
            m_variables.set(name, (path() / name).string());
        std::filesystem::create_directories(path() / "exporter/apertune_exporter");
        succeed();
    }

    const std::filesystem::path& path() const { return m_dir.path(); }

    worker::Installation installation() const
    {
        worker::Installation found;
        found.python = path() / "python";
        found.exporter = path() / "exporter";
        return found;
    }

    /// What the exporter does, as shell text; $COMMAND, $SOURCE, $OUT and $NAME are its arguments.
    void script(const std::string& body) const
    {
        const auto file = path() / "python";
        std::filesystem::remove(file); // a running one keeps its own text
        std::ofstream(file) << R"(#!/bin/sh
echo "$*" >> ')" << path().string()
                            << R"(/calls'
[ "$1 $2" = "-m apertune_exporter" ] || exit 99
shift 2
COMMAND=$1; SOURCE=$2; NAME=; OUT=
while [ $# -gt 0 ]; do
  case "$1" in
    --out) OUT=$2 ;;
    --name) NAME=$2 ;;
  esac
  shift
done
)" << body << '\n';
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }

    /// Writes an artifact or a package as the real one does. `weights` are the bytes of the artifact's model, and
    /// `claim` is its content hash (empty: the true one).
    void succeed(const std::string& weights = "weights", const std::string& claim = {}) const
    {
        script(R"(echo '{"t":"progress","step":"load","i":1,"n":2,"text":"Loading"}'
mkdir -p "$OUT.partial-$$"
if [ $COMMAND = export ]; then
  printf ')" + weights +
               R"(' > "$OUT.partial-$$/model.ts.pt"
  SHA=$(sha256sum < "$OUT.partial-$$/model.ts.pt" | cut -c1-64)
  HASH=$(printf '{"exported": null, "exporter": 1, "input_files": [], "inputs": [], "outputs": [], "torchscript": "%s"}' \
    $SHA | sha256sum | cut -c1-64)
  CLAIM=')" + claim +
               R"('
  cat > "$OUT.partial-$$/manifest.json" <<END
{"schema":"apertune.model/1","name":"$NAME","source":"$SOURCE","family":"classification","weights":"random, seed 0",
 "content_hash":"${CLAIM:-$HASH}","exporter":1,"inputs":[],"outputs":[],
 "files":{"torchscript":{"path":"model.ts.pt"},"exported":null}}
END
  mv "$OUT.partial-$$" "$OUT"
else
  printf 'package' > "$OUT.partial-$$/p"
  mv "$OUT.partial-$$/p" "$OUT"; rmdir "$OUT.partial-$$"
  echo '{"compile_seconds":12.5,"bytes":7}' > "$OUT.json"
fi
echo '{"t":"progress","step":"write","i":2,"n":2,"text":"Writing"}'
echo '{"t":"done","artifact":"'"$OUT"'"}')");
    }

    /// The command lines so far.
    std::vector<std::string> calls() const
    {
        std::vector<std::string> lines;
        std::ifstream in(path() / "calls");
        for (std::string line; std::getline(in, line);)
            lines.push_back(line);
        return lines;
    }

    /// Everything below the folder of models or packages, by name, sorted.
    std::vector<std::string> filesIn(const std::filesystem::path& folder) const
    {
        std::vector<std::string> names;
        std::error_code ignored;
        for (std::filesystem::directory_iterator it(folder, ignored), end; it != end; it.increment(ignored))
            names.push_back(it->path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }

    store::Store openStore(store::OpenMode mode = store::OpenMode::readWrite, const char* name = "test.apertune") const
    {
        return store::Store::open(path() / name, mode).value();
    }

private:
    base::TemporaryDir m_dir = base::TemporaryDir::create("exporter").value();
    test::EnvironmentVariables m_variables;
};

} // namespace apertune::models::testing
