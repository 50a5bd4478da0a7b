// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/task_type.h"

#include "core/base/enum_words.h"

namespace apertune::model {

namespace {

constexpr base::EnumWords<TaskType, 5> kWords{{{TaskType::unknown, ""},
                                               {TaskType::classification, "classification"},
                                               {TaskType::segmentation, "segmentation"},
                                               {TaskType::detection, "detection"},
                                               {TaskType::other, "other"}}};

} // namespace

std::string_view toString(TaskType task)
{
    return base::wordOf(kWords, task);
}

TaskType taskTypeFromString(std::string_view text)
{
    return base::valueOf(kWords, text).value_or(TaskType::other);
}

} // namespace apertune::model
