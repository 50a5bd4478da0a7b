// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/kernel_name.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace apertune::analysis {

namespace {

constexpr std::size_t kMostRead = 4096;
constexpr int kMostNested = 12;

/// Calls `visit(i)` for every character outside of brackets of any kind, until it returns false.
template <typename Visit>
void outside(std::string_view text, Visit visit)
{
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (depth == 0 && !visit(i))
            return;
        if (c == '<' || c == '(' || c == '{' || c == '[')
            ++depth;
        else if (c == ')' || c == '}' || c == ']' || (c == '>' && (i == 0 || text[i - 1] != '-')))
            depth = std::max(0, depth - 1);
    }
}

/// Drops the return type and the parameters: the result lies between the last blank before the first parenthesis and
/// it.
std::string_view qualifiedName(std::string_view text)
{
    std::size_t begin = 0;
    std::size_t end = text.size();
    outside(text, [&](std::size_t i) {
        // The return type ends at the last blank outside of brackets.
        if (text[i] == ' ')
            begin = i + 1;
        else if (text[i] == '(' && i > begin)
            end = i;
        return end == text.size();
    });
    return base::trimmed(text.substr(begin, end - begin), " ");
}

struct Template
{
    std::string_view scope; ///< only the innermost scope
    std::string_view base;
    std::string_view arguments; ///< the text between the brackets; empty without any
};

Template parseTemplate(std::string_view name)
{
    Template result;
    std::size_t last = 0;
    std::size_t before = 0;
    outside(name, [&](std::size_t i) {
        // The last two parts of the scope are remembered, because the last one is the name.
        if (name.substr(i, 2) == "::") {
            before = last;
            last = i + 2;
        }
        return true;
    });
    if (last > 2)
        result.scope = name.substr(before, last - 2 - before);
    name.remove_prefix(last);
    const auto open = name.find('<');
    result.base = base::trimmed(name.substr(0, open), " ");
    if (open != std::string_view::npos) {
        const auto close = name.rfind('>');
        const std::size_t end = close != std::string_view::npos && close > open ? close : name.size();
        result.arguments = name.substr(open + 1, end - open - 1);
    }
    return result;
}

std::vector<std::string_view> split(std::string_view arguments)
{
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    outside(arguments, [&](std::size_t i) {
        if (arguments[i] == ',') {
            parts.push_back(base::trimmed(arguments.substr(begin, i - begin), " "));
            begin = i + 1;
        }
        return true;
    });
    if (const std::string_view rest = base::trimmed(arguments.substr(begin), " "); !rest.empty())
        parts.push_back(rest);
    return parts;
}

/// Drops cast, pointer, reference and const: "(cudnnKernelDataType_t)2" becomes "2", "c10::Half const*" becomes
/// "c10::Half".
std::string_view valueType(std::string_view argument)
{
    if (argument.starts_with('('))
        if (const auto close = argument.find(')'); close != std::string_view::npos && close + 1 < argument.size())
            argument.remove_prefix(close + 1);
    argument = base::trimmed(argument, " ");
    while (!argument.empty() && (argument.back() == '*' || argument.back() == '&' || argument.back() == ' '))
        argument.remove_suffix(1);
    if (argument.ends_with(" const"))
        argument.remove_suffix(6);
    return argument;
}

/// The value or type without its scope.
std::string_view unqualifiedName(std::string_view argument)
{
    argument = valueType(argument);
    if (argument.find('<') == std::string_view::npos && argument.find('(') == std::string_view::npos)
        if (const auto scope = argument.rfind("::"); scope != std::string_view::npos)
            argument.remove_prefix(scope + 2);
    return argument;
}

/// True for a built-in type, a number or a truth value. It says how a kernel computes, not what.
bool isPlain(std::string_view word)
{
    if (word.empty() || std::isdigit(static_cast<unsigned char>(word.front())) || word.front() == '-')
        return true;
    if (word.starts_with("unsigned ") || word.starts_with("signed "))
        return true;
    constexpr std::array<std::string_view, 25> kWords = {
        "float", "double",  "int",           "long",   "long long", "short",   "char",   "bool",  "unsigned",
        "true",  "false",   "void",          "half",   "__half",    "__half2", "Half",   "half2", "BFloat16",
        "int4",  "int64_t", "__nv_bfloat16", "float2", "float4",    "int8_t",  "uint8_t"};
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool isLiteral(std::string_view word)
{
    return word == "true" || word == "false" || word.empty() ||
           std::isdigit(static_cast<unsigned char>(word.front())) || word.front() == '-';
}

/// True for an argument that says where the operands lie or how they are divided, not what is computed.
bool isOperandLayout(std::string_view argument)
{
    const std::string_view base = parseTemplate(qualifiedName(valueType(argument))).base;
    return base == "Array" || base == "TensorListMetadata" || base == "OffsetCalculator" ||
           base == "TrivialOffsetCalculator" || base == "ScanTileState" || base.ends_with("Params") ||
           base.find("Policy") != std::string_view::npos;
}

std::string typeText(std::string_view argument, int nested);

/// The text that describes the arguments of a template: the first one that is not plain, else all of them. With
/// `typesOnly`, only the types among plain ones.
std::string argumentsText(std::string_view arguments, bool typesOnly, int nested)
{
    if (nested > kMostNested)
        return {};
    std::vector<std::string_view> plain;
    std::string_view layout;
    for (const std::string_view argument : split(arguments)) {
        const std::string_view word = unqualifiedName(argument);
        if (isPlain(word)) {
            plain.push_back(word);
            continue;
        }
        if (!isOperandLayout(argument))
            return typeText(argument, nested + 1);
        if (layout.empty())
            layout = argument;
    }
    std::string text;
    std::string_view previous;
    for (const std::string_view word : plain) {
        // "float, float, float" says no more than "float".
        const bool repeated = word == previous && !isLiteral(word);
        previous = word;
        if (repeated || (typesOnly && (isLiteral(word) || !text.empty())))
            continue;
        text += (text.empty() ? "" : ", ") + std::string(word);
    }
    return text.empty() && !layout.empty() && !typesOnly ? typeText(layout, nested + 1) : text;
}

/// The text of an argument that is a type: the functor in a wrapper, or the function that contains a lambda.
std::string typeText(std::string_view argument, int nested)
{
    const auto lambda = argument.rfind("{lambda(");
    std::string_view name = qualifiedName(valueType(argument));
    if (name.ends_with("::operator"))
        name.remove_suffix(10);
    const Template parts = parseTemplate(name);
    std::string inner;
    if (!parts.arguments.empty()) {
        inner = argumentsText(parts.arguments, true, nested);
        const std::vector<std::string_view> all = split(parts.arguments);
        if (std::any_of(all.begin(), all.end(),
                        [](std::string_view one) { return !isPlain(unqualifiedName(one)) && !isOperandLayout(one); }))
            return inner;
    } else if (lambda != std::string_view::npos) {
        // One function may have many kernels. The parameter types of its innermost lambda distinguish them.
        const std::string_view parameters = argument.substr(lambda + 8);
        const auto end = parameters.find_first_of(",)");
        if (end != std::string_view::npos && isPlain(unqualifiedName(parameters.substr(0, end))))
            inner = std::string(unqualifiedName(parameters.substr(0, end)));
    }
    return std::string(parts.base) + (inner.empty() ? "" : "<" + inner + ">");
}

/// Reads an identifier with its length before it ("6kentry") and removes it. Empty when there is none.
std::string_view takeIdentifier(std::string_view& text)
{
    std::size_t length = 0, digits = 0;
    while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0 && length < kMostRead)
        length = 10 * length + static_cast<std::size_t>(text[digits++] - '0');
    if (length == 0 || length > text.size() - digits)
        return {};
    const std::string_view identifier = text.substr(digits, length);
    text.remove_prefix(digits + length);
    return identifier;
}

/// The name in a mangled C++ name, with the first class among its arguments where the name says little: "_ZN7ck_tile
/// 6kentryILi2ENS_12FmhaFwdKernel…" is "kentry<FmhaFwdKernel>". Empty for any other text. Linear, unlike demangling: a
/// mangled name can stand for one that is exponentially longer.
std::string mangledName(std::string_view full)
{
    constexpr std::size_t kGeneric = 8;
    if (!full.starts_with("_Z"))
        return {};
    full.remove_prefix(full.starts_with("_ZN") ? 3 : 2);
    std::string_view name;
    for (std::string_view next = takeIdentifier(full); !next.empty(); next = takeIdentifier(full))
        name = next.starts_with("_GLOBAL__N") ? name : next;
    if (name.size() > kGeneric || name.empty())
        return std::string(name);
    std::string_view inner;
    while (!full.empty() && inner.empty()) {
        for (std::string_view next = takeIdentifier(full); !next.empty(); next = takeIdentifier(full))
            inner = next;
        // A value ends with E. A number with S or T before it stands for an earlier part, and ends with an underscore.
        const char end = full.starts_with('L') ? 'E' : full.starts_with('S') || full.starts_with('T') ? '_' : '\0';
        if (end != '\0')
            full.remove_prefix(std::min(full.find(end), full.size() - 1));
        if (!full.empty())
            full.remove_prefix(1);
    }
    return std::string(name) + (inner.empty() ? "" : "<" + std::string(inner) + ">");
}

} // namespace

std::string kernelName(std::string_view full)
{
    if (const std::string plain = mangledName(full.substr(0, kMostRead)); !plain.empty())
        return plain;
    if (full.starts_with("Memcpy") || full.starts_with("Memset"))
        return std::string(full);
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    std::string text(full.substr(0, kMostRead));
    for (auto at = text.find(kAnonymous); at != std::string::npos; at = text.find(kAnonymous, at))
        text.erase(at, kAnonymous.size());
    if (text.find_first_of("<(") == std::string::npos && text.find("::") == std::string::npos)
        return std::string(full);
    const Template parts = parseTemplate(qualifiedName(text));
    if (parts.base.empty() || parts.base.starts_with('('))
        return std::string(full);
    const std::string description = argumentsText(parts.arguments, false, 0);
    std::string name(parts.base);
    if (!parts.scope.empty() && (parts.base == "kernel" || parts.base == "Kernel" || parts.base == "Kernel2")) {
        if (parts.scope.starts_with("cutlass") && description.starts_with("cutlass")) // cutlass::Kernel<cutlass_80_…>
            return description;
        if (description.starts_with(parts.scope))
            return description;
        name = std::string(parts.scope) + "::" + name;
    }
    return description.empty() ? name : name + "<" + description + ">";
}

} // namespace apertune::analysis
