// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/images/jpeg.h"

#include "core/base/errors.h"
#include "core/workload/images/errors.h"

// jpeglib.h uses FILE and size_t without including the headers that declare them.
#include <jpeglib.h>

#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace apertune::workload {

using base::Error;
using base::ErrorCode;

namespace {

/// The error handler of one call: libjpeg reports an error by calling a function that must not return.
struct Handler
{
    jpeg_error_mgr base; ///< the first member, because libjpeg casts its address
    std::jmp_buf back;
    char message[JMSG_LENGTH_MAX];
};

void leave(j_common_ptr info)
{
    auto* handler = reinterpret_cast<Handler*>(info->err);
    info->err->format_message(info, handler->message);
    std::longjmp(handler->back, 1); // NOLINT: the skipped frames are libjpeg's and own no C++ objects
}

/// libjpeg warns when a file is cut or damaged and fills the rest with grey. That is an error here: only whole images
/// are measured.
void warned(j_common_ptr info, int level)
{
    if (level < 0)
        leave(info);
}

void install(Handler& handler)
{
    jpeg_std_error(&handler.base);
    handler.base.error_exit = leave;
    handler.base.emit_message = warned;
}

Error failed(const Handler& handler)
{
    return {ErrorCode::corrupt,
            base::message<image_errors::kUnreadableJpeg>(handler.message),
            {},
            base::message<image_errors::kLeaveOutOrSave>()};
}

/// The outcome of reading a header. begin() creates no object with a destructor, because a longjmp would skip it.
enum class Header { ok, fourColours, tooLarge, failed };

Header begin(jpeg_decompress_struct& info, Handler& handler, std::span<const std::uint8_t> file)
{
    if (setjmp(handler.back)) // NOLINT
        return Header::failed;
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, file.data(), static_cast<unsigned long>(file.size()));
    jpeg_read_header(&info, TRUE);
    if (info.num_components == 4)
        return Header::fourColours;
    if (info.image_width > static_cast<unsigned>(kLargestSide) ||
        info.image_height > static_cast<unsigned>(kLargestSide))
        return Header::tooLarge;
    info.out_color_space = JCS_RGB;
    return Header::ok;
}

bool readRows(jpeg_decompress_struct& info, Handler& handler, std::uint8_t* rgb)
{
    if (setjmp(handler.back)) // NOLINT
        return false;
    jpeg_start_decompress(&info);
    const std::size_t stride = static_cast<std::size_t>(info.output_width) * 3;
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = rgb + info.output_scanline * stride;
        jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_finish_decompress(&info);
    return true;
}

bool writeRows(jpeg_compress_struct& info, Handler& handler, const Image& image, int quality, unsigned char** bytes,
               unsigned long* size)
{
    if (setjmp(handler.back)) // NOLINT
        return false;
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, bytes, size);
    info.image_width = static_cast<JDIMENSION>(image.width);
    info.image_height = static_cast<JDIMENSION>(image.height);
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    jpeg_start_compress(&info, TRUE);
    const std::size_t stride = static_cast<std::size_t>(image.width) * 3;
    while (info.next_scanline < info.image_height) {
        auto row = const_cast<JSAMPROW>(image.rgb.data() + info.next_scanline * stride); // libjpeg only reads it
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    return true;
}

} // namespace

base::Result<Image> decodeJpeg(std::span<const std::uint8_t> file)
{
    jpeg_decompress_struct info{};
    Handler handler{};
    install(handler);
    info.err = &handler.base;
    const Header header = begin(info, handler, file);
    if (header != Header::ok) {
        jpeg_destroy_decompress(&info);
        if (header == Header::fourColours)
            return Error{ErrorCode::unsupported,
                         base::message<image_errors::kFourColours>(),
                         {},
                         base::message<image_errors::kSaveAsRgb>()};
        if (header == Header::tooLarge)
            return Error{ErrorCode::unsupported,
                         base::message<image_errors::kTooManyPixels>(kLargestSide),
                         {},
                         base::message<image_errors::kLeaveOutOrScale>()};
        return failed(handler);
    }
    Image image;
    image.width = static_cast<int>(info.image_width);
    image.height = static_cast<int>(info.image_height);
    image.rgb.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 3);
    const bool read = readRows(info, handler, image.rgb.data());
    jpeg_destroy_decompress(&info);
    if (!read)
        return failed(handler);
    return image;
}

base::Result<JpegBytes> encodeJpeg(const Image& image, int quality)
{
    if (quality < 1 || quality > 100 || image.width < 1 || image.height < 1 || image.width > kLargestSide ||
        image.height > kLargestSide)
        return Error{ErrorCode::invalidArgument,
                     base::message<image_errors::kImpossibleJpeg>(),
                     {},
                     base::message<image_errors::kJpegLimits>()};
    jpeg_compress_struct info{};
    Handler handler{};
    install(handler);
    info.err = &handler.base;
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    // libjpeg allocates the output and enlarges it as needed. After a longjmp, `bytes` still points to it.
    const bool written = writeRows(info, handler, image, quality, &bytes, &size);
    jpeg_destroy_compress(&info);
    JpegBytes file;
    if (written)
        file.assign(bytes, bytes + size);
    std::free(bytes); // NOLINT: libjpeg allocated it with malloc
    if (!written)
        return Error{ErrorCode::internal,
                     base::message<image_errors::kUnwritableJpeg>(handler.message),
                     {},
                     base::message<base::errors::kPleaseReport>()};
    return file;
}

} // namespace apertune::workload
