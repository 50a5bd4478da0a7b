// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace apertune::models::testing {

/// A member of a zip archive as a test wants it; the header and the directory may contradict each other.
struct ZipMember
{
    std::string name;
    std::string bytes;
    std::uint32_t unpacked = 0; ///< 0: as large as the bytes, which are stored
    std::uint32_t mode = 0100644;
    std::uint16_t flags = 0;
    std::string nameInHeader{}; ///< name in the local header; empty: `name`
};

inline std::string littleEndian(std::uint64_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> (8 * i) & 0xFF);
    return text;
}

/// The bytes of an archive, with ZIP64 records where asked for.
inline std::string zipOf(const std::vector<ZipMember>& members, bool zip64 = false)
{
    std::string file;
    std::string directory;
    for (const ZipMember& m : members) {
        const auto le = littleEndian;
        const std::string& own = m.nameInHeader.empty() ? m.name : m.nameInHeader;
        const std::size_t offset = file.size();
        const std::string sizes =
            le(m.bytes.size(), 4) + le(m.unpacked != 0 ? m.unpacked : m.bytes.size(), 4); // packed, unpacked
        const std::string common = le(m.flags, 2) + le(m.unpacked != 0 ? 8 : 0, 2) + le(0, 4) + le(0, 4);
        file += "PK\3\4" + le(20, 2) + common + sizes + le(own.size(), 2) + le(0, 2) + own + m.bytes;
        const std::string extra = zip64 ? le(1, 2) + le(24, 2) + le(m.unpacked != 0 ? m.unpacked : m.bytes.size(), 8) +
                                              le(m.bytes.size(), 8) + le(offset, 8)
                                        : std::string();
        const std::string all = le(0xFFFFFFFF, 4);
        directory += "PK\1\2" + le(3 << 8 | 20, 2) + le(20, 2) + common + (zip64 ? all + all : sizes) +
                     le(m.name.size(), 2) + le(extra.size(), 2) + le(0, 2) + le(0, 2) + le(0, 2) +
                     le(std::uint64_t{m.mode} << 16, 4) + (zip64 ? all : le(offset, 4)) + m.name + extra;
    }
    const auto le = littleEndian;
    const std::uint64_t begin = file.size();
    file += directory;
    if (zip64) {
        const std::uint64_t place = file.size();
        file += "PK\6\6" + le(44, 8) + le(45, 2) + le(45, 2) + le(0, 4) + le(0, 4) + le(members.size(), 8) +
                le(members.size(), 8) + le(directory.size(), 8) + le(begin, 8);
        file += "PK\6\7" + le(0, 4) + le(place, 8) + le(1, 4);
    }
    return file + "PK\5\6" + le(0, 4) + le(members.size() & 0xFFFF, 2) + le(members.size() & 0xFFFF, 2) +
           le(directory.size(), 4) + le(begin, 4) + le(0, 2);
}

} // namespace apertune::models::testing
