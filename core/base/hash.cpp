// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include "core/base/errors.h"

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>

namespace apertune::base {

namespace {
struct Digest
{
    Digest() { EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr); }
    void add(const char* data, std::size_t size) { EVP_DigestUpdate(context.get(), data, size); }
    std::string hex()
    {
        std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
        unsigned int size = 0;
        EVP_DigestFinal_ex(context.get(), raw.data(), &size);
        constexpr char kDigits[] = "0123456789abcdef";
        std::string text;
        for (unsigned int i = 0; i < size; ++i) {
            text += kDigits[raw[i] >> 4];
            text += kDigits[raw[i] & 15];
        }
        return text;
    }
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};
} // namespace

std::string sha256(std::string_view bytes)
{
    Digest digest;
    digest.add(bytes.data(), bytes.size());
    return digest.hex();
}

Result<std::string> sha256File(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        return Error{
            ErrorCode::invalidArgument, message<errors::kIsAFolder>(file.string()), {}, message<errors::kNameAFile>()};
    std::ifstream in(file, std::ios::binary);
    if (!in)
        return Error{
            ErrorCode::notFound, message<errors::kCannotOpenFile>(file.string()), {}, message<errors::kCheckFile>()};
    Digest digest;
    std::array<char, 1 << 16> buffer{};
    while (in) {
        in.read(buffer.data(), buffer.size());
        digest.add(buffer.data(), static_cast<std::size_t>(in.gcount()));
    }
    if (in.bad())
        return Error{ErrorCode::io, message<errors::kReadingFailed>(file.string()), {}, message<errors::kCheckDisk>()};
    return digest.hex();
}

} // namespace apertune::base
