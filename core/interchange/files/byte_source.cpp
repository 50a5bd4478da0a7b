// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/files/byte_source.h"

#include "core/base/errors.h"
#include "core/interchange/files/errors.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::interchange::files {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";
constexpr std::string_view kSkipped = "\x2a\x4d\x18"; // behind a byte from 0x50 to 0x5f

/// An open file on the disk.
class RawFile
{
public:
    explicit RawFile(std::string name) : path(std::move(name)) {}
    RawFile(const RawFile&) = delete;
    RawFile& operator=(const RawFile&) = delete;
    ~RawFile()
    {
        if (descriptor >= 0)
            ::close(descriptor);
    }

    Result<std::size_t> read(char* to, std::size_t wanted)
    {
        std::size_t got = 0;
        while (got < wanted) {
            const ssize_t n = ::read(descriptor, to + got, wanted - got);
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

    bool isGzip() const { return head().starts_with(kGzip); }
    /// Frames of other data, which the unpacker skips, may stand before the first one.
    bool isZstd() const
    {
        const std::string beginning = head();
        return beginning.starts_with(kZstd) ||
               (beginning.size() == 4 && (static_cast<unsigned char>(beginning[0]) & 0xf0) == 0x50 &&
                beginning.ends_with(kSkipped));
    }

    Error endsEarly() const { return damaged(base::message<errors::kPackedEndsEarly>(position.load(), size)); }
    Error isDamaged() const { return damaged(base::message<errors::kPackedDamaged>(position.load(), size)); }

    std::string path;
    int descriptor = -1;
    std::int64_t size = 0;
    std::atomic<std::int64_t> position{0};

private:
    /// The first four bytes, or fewer of a shorter file.
    std::string head() const
    {
        std::string bytes(4, '\0');
        const ssize_t got = ::pread(descriptor, bytes.data(), bytes.size(), 0);
        bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
        return bytes;
    }
    Error damaged(base::Message message) const
    {
        return {ErrorCode::corrupt, std::move(message), path, base::message<errors::kCopyOrDownload>()};
    }
};

/// Unpacks a compressed file from its beginning to its end.
class Unpacker
{
public:
    explicit Unpacker(RawFile& file) : m_file(file), m_packed(std::size_t{256} * 1024) {}
    Unpacker(const Unpacker&) = delete;
    Unpacker& operator=(const Unpacker&) = delete;
    virtual ~Unpacker() = default;

    /// Reads as ByteSource::read() does.
    virtual Result<std::size_t> read(char* to, std::size_t wanted) = 0;

protected:
    RawFile& m_file;
    std::vector<char> m_packed;
    bool m_memberOpen = false; ///< the position is within a gzip member or a zstd frame
    bool m_ended = false;
};

class Gzip final : public Unpacker
{
public:
    explicit Gzip(RawFile& file) : Unpacker(file) { m_ready = ::inflateInit2(&m_inflater, 15 + 16) == Z_OK; }
    ~Gzip() override
    {
        if (m_ready)
            ::inflateEnd(&m_inflater);
    }
    bool isReady() const { return m_ready; }

    Result<std::size_t> read(char* to, std::size_t wanted) override
    {
        m_inflater.next_out = reinterpret_cast<Bytef*>(to);
        m_inflater.avail_out = static_cast<uInt>(wanted);
        while (m_inflater.avail_out > 0 && !m_ended) {
            if (m_inflater.avail_in == 0) {
                const auto got = m_file.read(m_packed.data(), m_packed.size());
                if (!got)
                    return got.error();
                m_inflater.next_in = reinterpret_cast<Bytef*>(m_packed.data());
                m_inflater.avail_in = static_cast<uInt>(*got);
                if (*got == 0) {
                    if (m_memberOpen)
                        return m_file.endsEarly();
                    m_ended = true;
                    break;
                }
            }
            if (!m_memberOpen) {
                // Between members there is another member or padding, which gzip ignores, too.
                if (m_inflater.next_in[0] != 0x1f) {
                    m_ended = true;
                    break;
                }
                ::inflateReset(&m_inflater);
                m_memberOpen = true;
            }
            const int code = ::inflate(&m_inflater, Z_NO_FLUSH);
            if (code == Z_STREAM_END)
                m_memberOpen = false;
            else if (code != Z_OK && code != Z_BUF_ERROR)
                return m_file.isDamaged();
        }
        return wanted - m_inflater.avail_out;
    }

private:
    z_stream m_inflater{};
    bool m_ready = false;
};

class Zstd final : public Unpacker
{
public:
    explicit Zstd(RawFile& file) : Unpacker(file), m_stream(::ZSTD_createDStream())
    {
        // Files of `zstd --long` need more memory than the library allows by default.
        if (m_stream)
            ::ZSTD_DCtx_setParameter(m_stream, ZSTD_d_windowLogMax,
                                     ::ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
    }
    ~Zstd() override { ::ZSTD_freeDStream(m_stream); }
    bool isReady() const { return m_stream != nullptr; }

    Result<std::size_t> read(char* to, std::size_t wanted) override
    {
        ZSTD_outBuffer out{to, wanted, 0};
        while (out.pos < out.size && !m_ended) {
            if (m_in.pos == m_in.size) {
                const auto got = m_file.read(m_packed.data(), m_packed.size());
                if (!got)
                    return got.error();
                m_in = {m_packed.data(), *got, 0};
                // Data that was unpacked may still wait for space in `out`, so an end of the file is no end of the
                // text.
                if (*got == 0 && !m_memberOpen) {
                    m_ended = true;
                    break;
                }
            }
            const std::size_t before = out.pos;
            const bool atEnd = m_in.size == 0;
            const std::size_t left = ::ZSTD_decompressStream(m_stream, &out, &m_in);
            if (::ZSTD_isError(left))
                return m_file.isDamaged();
            m_memberOpen = left != 0;
            if (atEnd && m_memberOpen && out.pos == before)
                return m_file.endsEarly();
        }
        return out.pos;
    }

private:
    ZSTD_DStream* m_stream;
    ZSTD_inBuffer m_in{nullptr, 0, 0};
};

template <typename T>
Result<std::unique_ptr<Unpacker>> makeUnpacker(RawFile& file)
{
    auto unpacker = std::make_unique<T>(file);
    if (!unpacker->isReady())
        return Error{ErrorCode::outOfMemory, base::message<errors::kNoMemoryToUnpack>(), file.path,
                     base::message<base::errors::kCloseOthers>()};
    return std::unique_ptr<Unpacker>(std::move(unpacker));
}

} // namespace

struct ByteSource::State
{
    explicit State(std::string path) : file(std::move(path)) {}

    RawFile file;
    std::unique_ptr<Unpacker> unpacker; ///< nullptr: the file is not compressed
};

ByteSource::ByteSource(std::unique_ptr<State> state) : m_state(std::move(state))
{
}
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource::~ByteSource() = default;

Result<ByteSource> ByteSource::open(const std::filesystem::path& path)
{
    auto state = std::make_unique<State>(path.string());
    RawFile& file = state->file;
    const base::Message again = base::message<errors::kNameTorchTrace>();
    file.descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // opening a pipe must not block
    if (file.descriptor < 0) {
        const bool missing = errno == ENOENT || errno == ENOTDIR;
        return Error{missing ? ErrorCode::notFound : ErrorCode::io,
                     missing ? base::message<errors::kNoSuchFile>()
                             : base::message<errors::kCannotOpen>(std::strerror(errno)),
                     file.path, missing ? again : base::message<errors::kCheckFilePermissions>()};
    }
    struct stat about
    {
    };
    if (::fstat(file.descriptor, &about) != 0 || !S_ISREG(about.st_mode))
        return Error{ErrorCode::invalidArgument,
                     S_ISDIR(about.st_mode) ? base::message<errors::kIsAFolder>()
                                            : base::message<errors::kNotOrdinary>(),
                     file.path, again};
    file.size = about.st_size;
    if (file.size == 0)
        return Error{ErrorCode::corrupt, base::message<errors::kEmptyFile>(), file.path,
                     base::message<errors::kDidNotFinish>()};
    if (file.isGzip() || file.isZstd()) {
        auto unpacker = file.isGzip() ? makeUnpacker<Gzip>(file) : makeUnpacker<Zstd>(file);
        if (!unpacker)
            return unpacker.error();
        state->unpacker = std::move(*unpacker);
    }
    return ByteSource(std::move(state));
}

Result<std::size_t> ByteSource::read(char* to, std::size_t size)
{
    return m_state->unpacker ? m_state->unpacker->read(to, size) : m_state->file.read(to, size);
}

std::int64_t ByteSource::size() const
{
    return m_state->file.size;
}
std::int64_t ByteSource::position() const
{
    return m_state->file.position;
}

base::Status readAll(ByteSource& source, std::string& bytes, std::size_t most, const std::function<bool()>& keepGoing)
{
    constexpr std::size_t kStep = std::size_t{256} << 10;
    constexpr std::size_t kStepsOfProgress = 64;
    for (std::size_t step = 0;; ++step) {
        if (step % kStepsOfProgress == 0 && !keepGoing())
            return Error{ErrorCode::cancelled, base::message<base::errors::kCancelled>()};
        const std::size_t had = bytes.size();
        bytes.resize(had + kStep);
        const auto got = source.read(bytes.data() + had, kStep);
        bytes.resize(had + (got ? *got : 0));
        if (!got)
            return got.error();
        if (*got == 0)
            return {};
        if (bytes.size() > most)
            return Error{ErrorCode::unsupported,
                         base::message<errors::kTooMuchData>(base::Bytes{static_cast<std::int64_t>(most)}),
                         {},
                         base::message<errors::kRecordShorter>()};
    }
}

} // namespace apertune::interchange::files
