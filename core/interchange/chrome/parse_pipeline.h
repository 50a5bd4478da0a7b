// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/interchange/chrome/event_blocks.h"
#include "core/interchange/chrome/parsed_block.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace apertune::interchange::chrome {

/// Reads blocks on one thread and parses them on several. The blocks come out in the order of the file. It holds a
/// limited number of blocks at a time.
class ParsePipeline
{
public:
    struct Job
    {
        std::string text;
        ParsedBlock block;
        std::size_t parser = 0; ///< the parser that numbered the texts, tracks and details of the block
        bool done = false;
    };

    /// REQUIRES: `blocks` outlives this object, and nobody else uses it meanwhile.
    ParsePipeline(EventBlocks& blocks, bool own, std::size_t parsers);
    ~ParsePipeline();

    /// Returns the next block; nullptr at the end or after a failure, which error() returns.
    std::unique_ptr<Job> next();
    /// Returns a job, so that its memory serves another block.
    void release(std::unique_ptr<Job> job);
    /// Returns the failure that ended the reading; ok at the end of the file.
    /// REQUIRES: next() has returned nullptr.
    base::Status error()
    {
        const base::Lock lock(m_mutex);
        return m_error;
    }

private:
    void read(EventBlocks& blocks);
    void parse(std::size_t number, bool own);
    void fail(base::Error error);

    std::size_t m_limit;
    base::Mutex m_mutex;
    base::Condition m_room, m_work, m_ready;
    std::deque<std::unique_ptr<Job>> m_jobs APERTUNE_GUARDED_BY(m_mutex); ///< in the order of the file
    std::deque<Job*> m_unparsed APERTUNE_GUARDED_BY(m_mutex);
    std::vector<std::unique_ptr<Job>> m_free APERTUNE_GUARDED_BY(m_mutex);
    base::Status m_error APERTUNE_GUARDED_BY(m_mutex);
    bool m_readAll APERTUNE_GUARDED_BY(m_mutex) = false;
    bool m_stop APERTUNE_GUARDED_BY(m_mutex) = false;
    std::vector<std::thread> m_threads;
};

} // namespace apertune::interchange::chrome
