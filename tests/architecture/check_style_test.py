#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that check_style.py can fail: it names each planted fault and nothing else."""
import contextlib
import io
import os
import tempfile
import textwrap

import check_style

RIGHT = """\
    void right(int n)
    {
        if (n > 0)
            count(n);
        if (n > 1) {
            count(n);
            count(n);
        } else {
            count(0);
        }
        if (n > 2) { // why
            const Guard guard(n);
        }
        for (const int each :
             {1, 2}) {
            count(each);
        }
        for (;;) {
            if (n > 3)
                count(n);
        }
    }
    TEST(Counting, StartsAtZero) {}
    const char* kPage = "https://of.org"; // a page
    // Counts the things
    // of a list.
    int n = 0; // number of things
               // that were counted
    base::Mutex m_mutex; // annotated, unlike std::mutex
    """
WRONG = """\
    void wrong(int n)
    {
        if (n > 0) {
            count(n);
        }
        while (n > 0) {
            count(n);
        }
        if (n > 4) {
            return n;
        }
        if (n > 1) {
            count(1);
        } else {
            count(2);
        }
    }
    TEST(Counting, startsAtZero) {}
    TEST_F(Counting, Starts_At_Zero) {}
    int n = 0; ///< of a list
    int m = 0; // that were counted
    // by number
    std::mutex m_mutex;
    const std::lock_guard<std::mutex> guard(m_mutex);
    """
LOCKS = """\
    std::mutex m_mutex;
    """

RIGHT_HEADER = """\
    /// Counts. One
    /// two
    /// three
    /// four
    /// five
    /// six
    ///
    /// A list:
    ///  - one
    /// REQUIRES: n > 0
    int count(int n); ///< no part of a paragraph
    /// REQUIRES: n > 0
    void start(int n) APERTUNE_REQUIRES(m_mutex);
    /* Starts. One
     * two
     * three
     * four
     * five
     *
     * six
     * seven */
    void stop(void);
    /// A list of ten items:
    ///  - one
    ///  - two
    ///  - three
    ///  - four
    ///  - five
    ///  * six
    ///  * seven
    ///  8. eight
    ///  9) nine
    ///  10. ten
    void list();
    /* A list:
     *  - one
     *    two
     *    three
     *    four
     *  - five
     *    six
     *    seven */
    void list_in_c(void);
    """
WRONG_HEADER = """\
    /// Counts. One
    /// two
    /// three
    /// four
    /// five
    /// six
    /// -seven
    int count(int n);
    /// Starts. REQUIRES: n > 0
    void start(int n);
    int n; ///< number of things. REQUIRES: started
    /* Stops. One
     * two
     * three
     * four
     * five
     * six
     * seven */
    void stop(void);
    /// A list:
    ///  - one
    ///    two
    ///    three
    ///    four
    ///    five
    ///    six
    ///    seven
    ///  - eight
    void list();
    """

RIGHT_TEST = """\
    int n = 0; ///< number of things
               ///< of a list
    """
WRONG_TEST = """\
    int n = 0; ///< which are counted
    """
RIGHT_SCRIPT = """\
    PLACE = "tests#of a list"  # a place
    # The number
    # of things
    """
WRONG_SCRIPT = """\
    COUNT = 0  # of things
    # by number
    """
FILES = {"core/base/mutex.h": LOCKS, "plugins/right.cpp": LOCKS, "core/right.cpp": RIGHT, "core/right.h": RIGHT_HEADER, "core/wrong.cpp": WRONG, "core/wrong.h": WRONG_HEADER,
         "tests/right.py": RIGHT_SCRIPT, "tests/right_test.cpp": RIGHT_TEST,
         "tests/wrong.py": WRONG_SCRIPT, "tests/wrong_test.cpp": WRONG_TEST}

with tempfile.TemporaryDirectory() as tree:
    for name, text in FILES.items():
        os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
        with open(os.path.join(tree, name), "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = check_style.main(tree)
    print(printed.getvalue(), end="")
    assert status == 1, status
    named = [line.split(": ")[0] for line in printed.getvalue().splitlines()[:-1]]
    expected = [f"core/wrong.cpp:{line}" for line in (3, 6, 9, 12, 20, 21, 22, 23, 24, 18, 19)]
    expected += [f"core/wrong.h:{line}" for line in (1, 12, 21, 9, 11)]
    expected += ["tests/wrong.py:1", "tests/wrong.py:2", "tests/wrong_test.cpp:1"]
    assert named == expected, named
