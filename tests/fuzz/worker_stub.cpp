// SPDX-License-Identifier: GPL-3.0-or-later
// worker_stub FILE   writes the first piece of the file, and the next one whenever stdin receives data. A piece is its
// size in four bytes, in this machine's order, and as many bytes. worker_answers_fuzz.cpp generates the pieces.
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>

int main(int argc, char** argv)
{
    const int file = argc > 1 ? ::open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
    char buffer[4096];
    std::uint32_t left = 0;
    while (::read(file, &left, sizeof left) == sizeof left) {
        while (left > 0) {
            const ssize_t got = ::read(file, buffer, left < sizeof buffer ? left : sizeof buffer);
            if (got <= 0 || ::write(STDOUT_FILENO, buffer, static_cast<std::size_t>(got)) != got)
                return 1;
            left -= static_cast<std::uint32_t>(got);
        }
        if (::read(STDIN_FILENO, buffer, sizeof buffer) <= 0)
            return 0;
    }
}
