// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/plain_or_gzip.h"

#include "core/base/errors.h"
#include "core/interchange/chrome/errors.h"

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
                return Error{ErrorCode::io, base::message<errors::kCannotRead>(std::strerror(errno)), path,
                             base::message<errors::kCheckDiskOrConnection>()};
            if (n == 0)
                break;
            got += static_cast<std::size_t>(n);
        }
        position += static_cast<std::int64_t>(got);
        return got;
    }

    Error damaged(base::Message message) const
    {
        return {ErrorCode::corrupt, std::move(message), path, base::message<errors::kCopyOrDownload>()};
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
                        return damaged(base::message<errors::kPackedEndsEarly>(position.load(), size));
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
                return damaged(base::message<errors::kPackedDamaged>(position.load(), size));
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
    const base::Message again = base::message<errors::kNameTorchTrace>();
    state->file = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // opening a pipe must not block
    if (state->file < 0) {
        const bool missing = errno == ENOENT || errno == ENOTDIR;
        return Error{missing ? ErrorCode::notFound : ErrorCode::io,
                     missing ? base::message<errors::kNoSuchFile>()
                             : base::message<errors::kCannotOpen>(std::strerror(errno)),
                     state->path, missing ? again : base::message<errors::kCheckFilePermissions>()};
    }
    struct stat about
    {
    };
    if (::fstat(state->file, &about) != 0 || !S_ISREG(about.st_mode))
        return Error{ErrorCode::invalidArgument,
                     S_ISDIR(about.st_mode) ? base::message<errors::kIsAFolder>()
                                            : base::message<errors::kNotOrdinary>(),
                     state->path, again};
    state->size = about.st_size;
    if (state->size == 0)
        return Error{ErrorCode::corrupt, base::message<errors::kEmptyFile>(), state->path,
                     base::message<errors::kDidNotFinish>()};
    unsigned char magic[2] = {};
    if (::pread(state->file, magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b) {
        if (::inflateInit2(&state->inflater, 15 + 16) != Z_OK)
            return Error{ErrorCode::outOfMemory, base::message<errors::kNoMemoryToUnpack>(), state->path,
                         base::message<base::errors::kCloseOthers>()};
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

    Status fail(base::Message message)
    {
        failed = true;
        return Error{ErrorCode::io, std::move(message), target, base::message<errors::kOtherOutFolder>()};
    }

    Status writeRaw(const char* bytes, std::size_t size)
    {
        while (size > 0) {
            const ssize_t n = ::write(file, bytes, size);
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0)
                return fail(base::message<errors::kCannotWrite>(std::strerror(errno)));
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
        return state->fail(base::message<errors::kCannotWrite>(std::strerror(errno))).error();
    }
    std::string temporary = state->target + ".XXXXXX";
    state->file = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (state->file < 0)
        return state->fail(base::message<errors::kCannotWrite>(std::strerror(errno))).error();
    state->temporary = temporary;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(state->file, 0666 & ~mask);
    if (file.extension() == ".gz") {
        // Level 3 is five times faster than 9, and its files are a tenth larger.
        if (::deflateInit2(&state->deflater, 3, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
            errno = ENOMEM;
            return state->fail(base::message<errors::kCannotPack>(std::strerror(errno))).error();
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
        return s.fail(base::message<errors::kNotComplete>(std::strerror(errno)));
    }
    if (s.packed)
        if (const Status packed = s.pack({}, Z_FINISH); !packed)
            return packed;
    if (::fsync(s.file) != 0 && errno != EINVAL && errno != EROFS)
        return s.fail(base::message<errors::kCannotWrite>(std::strerror(errno)));
    if (::rename(s.temporary.c_str(), s.target.c_str()) != 0)
        return s.fail(base::message<errors::kCannotPutInPlace>(std::strerror(errno)));
    s.temporary.clear();
    return {};
}

} // namespace apertune::interchange::chrome
