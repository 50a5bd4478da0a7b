// SPDX-License-Identifier: GPL-3.0-or-later
// Messages as documents and workspaces keep them (core/base/message.h), and their sentences.
#include "core/base/message.h"
#include "core/sentences/sentences.h"
#include "core/sentences/templates.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

namespace apertune::fuzz {

using base::Json;
using base::Message;

void examine(std::string_view input)
{
    const Json json = Json::parse(input, nullptr, false);
    const Message message = base::messageFromJson(json);
    const Json written = base::toJson(message);
    if (!message.empty())
        require(base::toJson(base::messageFromJson(written)) == written, "a message comes back");
    const std::string sentence = sentences::sentence(message);
    require(!message.empty() || sentence.empty(), "no message has no sentence");
}

std::vector<std::string> seeds()
{
    std::vector<std::string> seeds;
    for (const sentences::Template& known : sentences::templates()) {
        // Each parameter of the template gets a value of every type.
        Message message{std::string(known.id)};
        const std::string_view text = known.english;
        std::size_t which = seeds.size();
        for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
            const base::Argument::Value values[] = {std::string("name"),
                                                    std::int64_t{5},
                                                    2.5,
                                                    base::Share{0.1},
                                                    base::SamplesPerSecond{7},
                                                    base::Nanoseconds{1'000'000},
                                                    base::Bytes{1 << 20},
                                                    std::vector<Message>{base::foreignText("x")}};
            message.arguments.push_back({std::string(text.substr(open + 1, text.find('}', open) - open - 1)),
                                         values[which++ % std::size(values)]});
        }
        seeds.push_back(base::toJson(message).dump());
    }
    return seeds;
}

} // namespace apertune::fuzz
