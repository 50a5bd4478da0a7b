// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/parse_pipeline.h"

#include "core/interchange/chrome/errors.h"
#include "core/interchange/chrome/event_parser.h"
#include "core/trace/errors.h"

#include <new>

namespace apertune::interchange::chrome {

using base::Error;
using base::ErrorCode;
using base::Lock;

namespace {

Error outOfMemory()
{
    return {
        ErrorCode::outOfMemory, base::message<trace::errors::kTooLarge>(), {}, base::message<errors::kShorterRun>()};
}

} // namespace

ParsePipeline::ParsePipeline(EventBlocks& blocks, bool own, std::size_t parsers) : m_limit(parsers * 2 + 2)
{
    m_threads.emplace_back([this, &blocks] { read(blocks); });
    for (std::size_t i = 0; i < parsers; ++i)
        m_threads.emplace_back([this, i, own] { parse(i, own); });
}

ParsePipeline::~ParsePipeline()
{
    {
        const Lock lock(m_mutex);
        m_stop = true;
    }
    m_room.notify_all();
    m_work.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
}

std::unique_ptr<ParsePipeline::Job> ParsePipeline::next()
{
    Lock lock(m_mutex);
    m_ready.wait(lock, [this]() APERTUNE_REQUIRES(m_mutex) {
        return m_jobs.empty() ? m_readAll || !m_error.ok() : m_jobs.front()->done || !m_error.ok();
    });
    if (m_jobs.empty() || !m_jobs.front()->done)
        return nullptr;
    std::unique_ptr<Job> job = std::move(m_jobs.front());
    m_jobs.pop_front();
    lock.unlock();
    m_room.notify_one();
    return job;
}

void ParsePipeline::release(std::unique_ptr<Job> job)
{
    const Lock lock(m_mutex);
    // A job that once held a very large block would keep its memory, so it is not reused.
    if (m_free.size() < m_limit && job->text.capacity() < (std::size_t{8} << 20))
        m_free.push_back(std::move(job));
}

void ParsePipeline::fail(Error error)
{
    {
        const Lock lock(m_mutex);
        if (m_error.ok())
            m_error = std::move(error);
        m_stop = true;
    }
    m_room.notify_all();
    m_work.notify_all();
    m_ready.notify_all();
}

void ParsePipeline::read(EventBlocks& blocks)
{
    try {
        while (true) {
            std::unique_ptr<Job> job;
            // After a failure the threads may still wait for room, work or blocks.
            {
                Lock lock(m_mutex);
                m_room.wait(lock, [this]() APERTUNE_REQUIRES(m_mutex) { return m_stop || m_jobs.size() < m_limit; });
                if (m_stop)
                    return;
                if (!m_free.empty()) {
                    job = std::move(m_free.back());
                    m_free.pop_back();
                }
            }
            if (!job)
                job = std::make_unique<Job>();
            job->done = false;
            job->text.clear();
            if (const base::Status status = blocks.next(job->text); !status)
                return fail(status.error());
            const bool readAll = job->text.empty();
            {
                const Lock lock(m_mutex);
                m_readAll = readAll;
                if (!readAll) {
                    // m_jobs keeps the order of the file, and m_unparsed is the queue of the parsers. next() gives out
                    // only parsed jobs, so the pointer stays valid.
                    m_unparsed.push_back(job.get());
                    m_jobs.push_back(std::move(job));
                }
            }
            if (readAll) {
                m_work.notify_all();
                m_ready.notify_all();
                return;
            }
            m_work.notify_one();
        }
    } catch (const std::bad_alloc&) {
        fail(outOfMemory());
    }
}

void ParsePipeline::parse(std::size_t number, bool own)
{
    try {
        EventParser parser(own);
        while (true) {
            Job* job = nullptr;
            {
                Lock lock(m_mutex);
                m_work.wait(lock,
                            [this]() APERTUNE_REQUIRES(m_mutex) { return m_stop || !m_unparsed.empty() || m_readAll; });
                if (m_stop || m_unparsed.empty())
                    return;
                job = m_unparsed.front();
                m_unparsed.pop_front();
            }
            job->parser = number;
            parser.parse(job->text, job->block);
            {
                const Lock lock(m_mutex);
                job->done = true;
            }
            m_ready.notify_one();
        }
    } catch (const std::bad_alloc&) {
        fail(outOfMemory());
    }
}

} // namespace apertune::interchange::chrome
