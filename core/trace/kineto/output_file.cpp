// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/kineto/output_file.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace apertune::trace::kineto {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

struct OutputFile::State
{
    std::string target;
    std::string temporary;
    int file = -1;
    bool packed = false;
    bool failed = false;
    z_stream deflater{};
    std::array<unsigned char, std::size_t{64} * 1024> out{};

    ~State()
    {
        if (packed)
            ::deflateEnd(&deflater);
        if (file >= 0)
            ::close(file);
        if (!temporary.empty())
            ::unlink(temporary.c_str());
    }

    Status fail(const char* what)
    {
        failed = true;
        return Error{ErrorCode::io, std::string(what) + ": " + std::strerror(errno) + ".", target,
                     "Name another folder with --out, or free space there."};
    }

    Status writeRaw(const char* bytes, std::size_t size)
    {
        while (size > 0) {
            const ssize_t n = ::write(file, bytes, size);
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0)
                return fail("The trace cannot be written");
            bytes += n;
            size -= static_cast<std::size_t>(n);
        }
        return {};
    }

    Status pack(std::string_view bytes, int flush)
    {
        deflater.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        deflater.avail_in = static_cast<uInt>(bytes.size());
        do {
            deflater.next_out = out.data();
            deflater.avail_out = static_cast<uInt>(out.size());
            ::deflate(&deflater, flush);
            const Status written = writeRaw(reinterpret_cast<const char*>(out.data()), out.size() - deflater.avail_out);
            if (!written)
                return written;
        } while (deflater.avail_out == 0);
        return {};
    }
};

OutputFile::OutputFile(std::unique_ptr<State> state) : m_state(std::move(state))
{
}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

Result<OutputFile> OutputFile::create(const std::filesystem::path& file)
{
    auto state = std::make_unique<State>();
    state->target = file.string();
    std::error_code ignored;
    if (file.has_parent_path())
        std::filesystem::create_directories(file.parent_path(), ignored);
    if (std::filesystem::is_directory(file, ignored)) {
        errno = EISDIR;
        return state->fail("The trace cannot be written").error();
    }
    std::string temporary = state->target + ".XXXXXX";
    state->file = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (state->file < 0)
        return state->fail("The trace cannot be written").error();
    state->temporary = temporary;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(state->file, 0666 & ~mask);
    if (file.extension() == ".gz") {
        // Level 3: five times faster than 9 and a tenth larger.
        if (::deflateInit2(&state->deflater, 3, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
            errno = ENOMEM;
            return state->fail("The trace cannot be packed").error();
        }
        state->packed = true;
    }
    return OutputFile(std::move(state));
}

Status OutputFile::write(std::string_view bytes)
{
    if (!m_state->packed)
        return m_state->writeRaw(bytes.data(), bytes.size());
    for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(bytes.size(), std::size_t{1} << 30)))
        if (const Status packed = m_state->pack(bytes.substr(0, std::size_t{1} << 30), Z_NO_FLUSH); !packed)
            return packed;
    return {};
}

Status OutputFile::commit()
{
    State& s = *m_state;
    if (s.failed) {
        errno = EIO;
        return s.fail("The trace was not written completely");
    }
    if (s.packed)
        if (const Status packed = s.pack({}, Z_FINISH); !packed)
            return packed;
    if (::fsync(s.file) != 0 && errno != EINVAL && errno != EROFS)
        return s.fail("The trace cannot be written");
    if (::rename(s.temporary.c_str(), s.target.c_str()) != 0)
        return s.fail("The trace cannot be put in its place");
    s.temporary.clear();
    return {};
}

} // namespace apertune::trace::kineto
