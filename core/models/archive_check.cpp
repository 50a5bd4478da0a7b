// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/archive_check.h"

#include "core/base/errors.h"
#include "core/base/escape.h"
#include "core/base/units.h"
#include "core/models/errors.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::models {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

namespace {

constexpr std::uint64_t kMostMembers = 100'000;
constexpr std::uint64_t kMostDirectoryBytes = 64 << 20;
constexpr std::uint64_t kSmall = 16 << 20; ///< a member up to this size may have any ratio
constexpr std::uint64_t kMostRatio = 100;

// Sizes and marks of the records of APPNOTE.TXT 6.3.
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::size_t kLocator64Bytes = 20;
constexpr std::size_t kCentralBytes = 46;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kLongestComment = 0xFFFF;
constexpr std::uint64_t kIn64 = 0xFFFFFFFF; ///< a field of 32 bits whose value stands in the extra field

/// Ends the inspection.
struct Refused
{
    base::Message why;
};

[[noreturn]] void refuse(base::Message why)
{
    throw Refused{std::move(why)};
}

[[noreturn]] void refuseDamaged()
{
    refuse(base::message<errors::kArchiveContradicts>());
}

/// A number in little-endian order. REQUIRES: it lies within the bytes.
std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t count)
{
    std::uint64_t value = 0;
    for (std::size_t i = count; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

struct Archive
{
    std::uint64_t size;
    const ReadAt& readAt;

    std::string bytes(std::uint64_t offset, std::uint64_t count) const
    {
        if (offset > size || count > size - offset)
            refuseDamaged();
        std::string read(count, '\0');
        if (!readAt(offset, read))
            refuseDamaged();
        return read;
    }
};

struct Directory
{
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint64_t members = 0;
};

struct Member
{
    std::string name;
    std::uint64_t packed = 0;
    std::uint64_t unpacked = 0;
    std::uint64_t offset = 0; ///< offset of its local header
};

/// Finds the directory by the last end record, as loaders do. Returns false without one.
bool findDirectory(const Archive& archive, Directory& directory)
{
    const std::uint64_t tail = std::min<std::uint64_t>(archive.size, kEndBytes + kLongestComment);
    const std::string text = archive.bytes(archive.size - tail, tail);
    const std::size_t at = text.rfind("PK\5\6");
    if (at == std::string::npos || text.size() - at < kEndBytes)
        return false;
    const std::string_view end = std::string_view(text).substr(at);
    // Another length would make some loaders look for an earlier record.
    if (number(end, 20, 2) != end.size() - kEndBytes || number(end, 4, 2) != number(end, 6, 2))
        refuseDamaged();
    directory = {number(end, 16, 4), number(end, 12, 4), number(end, 10, 2)};
    std::uint64_t begin = archive.size - tail + at; // position of the end records
    if (begin >= kLocator64Bytes) {
        const std::string locator = archive.bytes(begin - kLocator64Bytes, kLocator64Bytes);
        if (locator.starts_with("PK\6\7")) {
            const std::uint64_t place = number(locator, 8, 8);
            const std::string end64 = archive.bytes(place, kEnd64Bytes);
            if (!end64.starts_with("PK\6\6") || place + kEnd64Bytes != begin - kLocator64Bytes)
                refuseDamaged();
            directory = {number(end64, 48, 8), number(end64, 40, 8), number(end64, 32, 8)};
            begin = place;
        }
    }
    // Bytes in front of the archive would move it for some loaders and not for others.
    if (directory.offset > begin || directory.bytes != begin - directory.offset)
        refuseDamaged();
    return true;
}

base::Message shown(std::string_view name)
{
    constexpr std::size_t kLongest = 80;
    return base::foreignText(base::printableLine(name.substr(0, kLongest)));
}

void requireHarmlessName(std::string_view name)
{
    bool up = false;
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find('/', at), name.size());
        up = up || name.substr(at, end - at) == "..";
        at = end + 1;
    }
    const bool drive = name.size() > 1 && name[1] == ':';
    const bool control = std::any_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\';
    });
    if (name.empty() || name.front() == '/' || up || drive || control)
        refuse(base::message<errors::kMemberOutside>(shown(name)));
}

/// Replaces the sizes and the offset by those of the extra field, where they do not fit 32 bits.
void readExtra64(std::string_view extra, Member& member)
{
    for (std::size_t at = 0; extra.size() - at >= 4;) {
        const std::size_t length = number(extra, at + 2, 2);
        if (length > extra.size() - at - 4)
            refuseDamaged();
        if (number(extra, at, 2) == 1) {
            std::string_view values = extra.substr(at + 4, length);
            for (std::uint64_t* field : {&member.unpacked, &member.packed, &member.offset})
                if (*field == kIn64) {
                    if (values.size() < 8)
                        refuseDamaged();
                    *field = number(values, 0, 8);
                    values.remove_prefix(8);
                }
            return;
        }
        at += 4 + length;
    }
}

/// Reads a record of the directory, and moves `at` behind it.
Member readMember(std::string_view directory, std::size_t& at)
{
    if (directory.size() - at < kCentralBytes || directory.substr(at, 4) != "PK\1\2")
        refuseDamaged();
    const std::string_view record = directory.substr(at);
    const std::size_t name = number(record, 28, 2);
    const std::size_t extra = number(record, 30, 2);
    const std::size_t whole = kCentralBytes + name + extra + number(record, 32, 2);
    if (record.size() < whole)
        refuseDamaged();
    Member member{std::string(record.substr(kCentralBytes, name)), number(record, 20, 4), number(record, 24, 4),
                  number(record, 42, 4)};
    readExtra64(record.substr(kCentralBytes + name, extra), member);
    requireHarmlessName(member.name);
    const std::uint64_t flags = number(record, 8, 2);
    const std::uint64_t method = number(record, 10, 2);
    constexpr std::uint64_t kEncrypted = 1;
    constexpr std::uint64_t kDeflate = 8;
    const std::uint64_t mode = number(record, 38, 4) >> 16; // mode of Unix; 0 where another system wrote the archive
    const std::uint64_t kind = mode & 0170000;
    if ((kind != 0 && kind != 0100000 && kind != 0040000) || (flags & kEncrypted) != 0 ||
        (method != 0 && method != kDeflate))
        refuse(base::message<errors::kMemberKind>(shown(member.name)));
    if (method == 0 && member.packed != member.unpacked)
        refuseDamaged();
    at += whole;
    return member;
}

/// Checks the local header of a member, and returns where the member ends.
std::uint64_t endOf(const Archive& archive, const Member& member)
{
    const std::string header = archive.bytes(member.offset, kLocalBytes + member.name.size());
    const std::uint64_t name = number(header, 26, 2);
    if (!header.starts_with("PK\3\4") || name != member.name.size() || header.substr(kLocalBytes) != member.name)
        refuseDamaged();
    const std::uint64_t begin = member.offset + kLocalBytes + name + number(header, 28, 2);
    if (begin > archive.size || member.packed > archive.size - begin)
        refuseDamaged();
    return begin + member.packed;
}

bool isBomb(std::uint64_t unpacked, std::uint64_t packed)
{
    return unpacked > kSmall && unpacked / kMostRatio > packed;
}

base::Bytes bytesOf(std::uint64_t count)
{
    return {static_cast<std::int64_t>(std::min<std::uint64_t>(count, INT64_MAX))};
}

void inspect(const Archive& archive)
{
    Directory directory;
    if (!findDirectory(archive, directory))
        return;
    if (directory.members > kMostMembers || directory.bytes > kMostDirectoryBytes)
        refuse(base::message<errors::kTooManyMembers>(directory.members, kMostMembers));
    const std::string text = archive.bytes(directory.offset, directory.bytes);
    std::vector<Member> members;
    std::set<std::string> names;
    std::uint64_t unpacked = 0;
    for (std::size_t at = 0; at < text.size();) {
        members.push_back(readMember(text, at));
        const Member& member = members.back();
        if (!names.insert(member.name).second)
            refuse(base::message<errors::kMemberTwice>(shown(member.name)));
        if (member.unpacked > INT64_MAX - unpacked)
            refuseDamaged();
        unpacked += member.unpacked;
        if (isBomb(member.unpacked, member.packed))
            refuse(base::message<errors::kMemberUnpacks>(shown(member.name), bytesOf(member.unpacked),
                                                         bytesOf(member.packed)));
    }
    if (members.size() != directory.members)
        refuseDamaged();
    if (isBomb(unpacked, archive.size))
        refuse(base::message<errors::kArchiveUnpacks>(bytesOf(unpacked), bytesOf(archive.size)));
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.offset < b.offset; });
    std::uint64_t free = 0; // the first byte that no member has taken
    for (const Member& member : members) {
        if (member.offset < free)
            refuseDamaged();
        free = endOf(archive, member);
        if (free > directory.offset)
            refuseDamaged();
    }
}

} // namespace

base::Message archiveFault(std::uint64_t size, const ReadAt& readAt)
{
    try {
        inspect({size, readAt});
        return {};
    } catch (const Refused& refused) {
        return refused.why;
    }
}

base::Status requireSafeArchive(const fs::path& file)
{
    std::error_code code;
    if (!fs::is_regular_file(file, code))
        return {};
    const auto size = fs::file_size(file, code);
    const int descriptor = code ? -1 : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return Error{ErrorCode::io,
                     base::message<base::errors::kCannotOpenFile>(file.string()),
                     {},
                     base::message<base::errors::kCheckFile>()};
    const base::Message fault = archiveFault(size, [&](std::uint64_t offset, std::span<char> bytes) {
        while (!bytes.empty()) {
            const ssize_t read = ::pread(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
            if (read <= 0)
                return false;
            offset += static_cast<std::uint64_t>(read);
            bytes = bytes.subspan(static_cast<std::size_t>(read));
        }
        return true;
    });
    ::close(descriptor);
    if (fault.empty())
        return {};
    return Error{ErrorCode::corrupt, base::message<errors::kUnsafeArchive>(file.filename().string(), fault),
                 file.string(), base::message<errors::kGetFileAgain>()};
}

} // namespace apertune::models
