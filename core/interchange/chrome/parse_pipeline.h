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

/// One thread that reads blocks and several that parse them; the blocks come out in the order of the file. Holds a
/// fixed number of blocks at a time.
class ParsePipeline
{
public:
    struct Job
    {
        std::string text;
        ParsedBlock block;
        std::size_t parser = 0; ///< whose numbers the block speaks in
        bool done = false;
    };

    /// Nobody else may use `blocks` while this lives.
    ParsePipeline(EventBlocks& blocks, bool own, std::size_t parsers);
    ~ParsePipeline();

    /// The next block; nullptr at the end, and then error() tells how it ended. The pointer is good until release().
    std::unique_ptr<Job> next();
    /// Gives a job's memory back.
    void release(std::unique_ptr<Job> job);
    /// How it ended. REQUIRES: next() has returned nullptr.
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
