// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/replace_process.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace apertune::cli {

std::string replaceProcess(std::vector<std::string> words)
{
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    sigset_t none;
    sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    ::execvp(argv.front(), argv.data());
    return std::strerror(errno);
}

} // namespace apertune::cli
