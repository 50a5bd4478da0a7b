// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/plain_or_gzip.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace apertune::interchange::chrome {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

struct ByteSource::State
{
    std::string path;
    int file = -1;
    std::int64_t size = 0;
    std::atomic<std::int64_t> position{0};
    bool compressed = false;
    bool memberOpen = false; ///< the position is within a gzip member
    bool ended = false;
    z_stream inflater{};
    std::vector<unsigned char> packed;

    ~State()
    {
        if (compressed)
            ::inflateEnd(&inflater);
        if (file >= 0)
            ::close(file);
    }

    Result<std::size_t> readRaw(char* to, std::size_t wanted)
    {
        std::size_t got = 0;
        while (got < wanted) {
            const ssize_t n = ::read(file, to + got, wanted - got);
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0)
                return Error{ErrorCode::io, "The trace cannot be read: " + std::string(std::strerror(errno)) + ".",
                             path, "Check the disk or the connection it lies on."};
            if (n == 0)
                break;
            got += static_cast<std::size_t>(n);
        }
        position += static_cast<std::int64_t>(got);
        return got;
    }

    Error damaged(const char* what) const
    {
        return {ErrorCode::corrupt,
                "The compressed trace " + std::string(what) + " after " + std::to_string(position.load()) + " of " +
                    std::to_string(size) + " bytes.",
                path, "Copy or download the file again; nothing of it was imported."};
    }

    Result<std::size_t> readPacked(char* to, std::size_t wanted)
    {
        inflater.next_out = reinterpret_cast<Bytef*>(to);
        inflater.avail_out = static_cast<uInt>(wanted);
        while (inflater.avail_out > 0 && !ended) {
            if (inflater.avail_in == 0) {
                const auto got = readRaw(reinterpret_cast<char*>(packed.data()), packed.size());
                if (!got)
                    return got.error();
                inflater.next_in = packed.data();
                inflater.avail_in = static_cast<uInt>(*got);
                if (*got == 0) {
                    if (memberOpen)
                        return damaged("ends early,");
                    ended = true;
                    break;
                }
            }
            if (!memberOpen) {
                // Between members there is another member or padding, which gzip ignores, too.
                if (inflater.next_in[0] != 0x1f) {
                    ended = true;
                    break;
                }
                ::inflateReset(&inflater);
                memberOpen = true;
            }
            const int code = ::inflate(&inflater, Z_NO_FLUSH);
            if (code == Z_STREAM_END)
                memberOpen = false;
            else if (code != Z_OK && code != Z_BUF_ERROR)
                return damaged("is damaged");
        }
        return wanted - inflater.avail_out;
    }
};

ByteSource::ByteSource(std::unique_ptr<State> state) : m_state(std::move(state))
{
}
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource::~ByteSource() = default;

Result<ByteSource> ByteSource::open(const std::filesystem::path& file)
{
    auto state = std::make_unique<State>();
    state->path = file.string();
    const char* const again = "Name the trace that torch.profiler wrote, for example run.pt.trace.json.gz.";
    state->file = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // opening a pipe must not block
    if (state->file < 0) {
        const bool missing = errno == ENOENT || errno == ENOTDIR;
        return Error{missing ? ErrorCode::notFound : ErrorCode::io,
                     missing ? "There is no such file."
                             : "The trace cannot be opened: " + std::string(std::strerror(errno)) + ".",
                     state->path, missing ? again : "Check the file's permissions."};
    }
    struct stat about
    {
    };
    if (::fstat(state->file, &about) != 0 || !S_ISREG(about.st_mode))
        return Error{ErrorCode::invalidArgument,
                     S_ISDIR(about.st_mode) ? "This is a folder, not a trace." : "This is not an ordinary file.",
                     state->path, again};
    state->size = about.st_size;
    if (state->size == 0)
        return Error{ErrorCode::corrupt, "The file is empty.", state->path,
                     "The recording did not finish: record it again."};
    unsigned char magic[2] = {};
    if (::pread(state->file, magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b) {
        if (::inflateInit2(&state->inflater, 15 + 16) != Z_OK)
            return Error{ErrorCode::outOfMemory, "There is no memory to unpack the trace.", state->path,
                         "Close other programs and try again."};
        state->compressed = true;
        state->packed.resize(std::size_t{256} * 1024);
    }
    return ByteSource(std::move(state));
}

Result<std::size_t> ByteSource::read(char* to, std::size_t size)
{
    return m_state->compressed ? m_state->readPacked(to, size) : m_state->readRaw(to, size);
}

bool ByteSource::compressed() const
{
    return m_state->compressed;
}
std::int64_t ByteSource::size() const
{
    return m_state->size;
}
std::int64_t ByteSource::position() const
{
    return m_state->position;
}

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
        // Level 3 is five times faster than 9, and its files are a tenth larger.
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

} // namespace apertune::interchange::chrome
