# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of detections are compared as sets."""

import unittest

import numpy
from apertune_exporter.convert.detections import aligned

DOG, CAT, BIRD = [10, 10, 50, 40], [60, 20, 90, 80], [5, 60, 25, 90]


def listed(boxes, scores, labels):
    return [numpy.array([boxes], "float32"), numpy.array([scores], "float32"), numpy.array([labels])]


class Detections(unittest.TestCase):
    def differences(self, found, expected):
        return [float(numpy.abs(f - e).max()) for f, e in aligned(found, expected)]

    def test_two_that_swap_ranks_are_equal(self):
        expected = listed([DOG, CAT, BIRD], [0.9, 0.9, 0.3], [1, 2, 3])
        found = listed([CAT, DOG, BIRD], [0.9, 0.9, 0.3], [2, 1, 3])
        self.assertEqual(self.differences(found, expected), [0, 0])

    def test_a_box_that_moved_a_little_is_the_same_and_one_that_moved_far_is_another(self):
        expected = listed([DOG, CAT], [0.9, 0.8], [1, 2])
        self.assertEqual(self.differences(listed([[12, 10, 52, 40], CAT], [0.9, 0.8], [1, 2]), expected)[0], 2)
        self.assertEqual(self.differences(listed([[110, 10, 150, 40], CAT], [0.9, 0.8], [1, 2]), expected)[0], 150)

    def test_another_label_is_another_detection(self):
        expected = listed([DOG, CAT], [0.9, 0.8], [1, 2])
        self.assertEqual(self.differences(listed([DOG, CAT], [0.9, 0.8], [7, 2]), expected)[0], 50)

    def test_boxes_in_a_fixed_order_stay_where_they_are(self):
        expected = listed([DOG, CAT], [0.2, 0.8], [1, 2])
        self.assertEqual(self.differences(listed([CAT, DOG], [0.8, 0.2], [2, 1]), expected)[0], 50)
        self.assertEqual([f.shape for f, _ in aligned(expected, expected)], [(1, 2, 4), (1, 2)])


if __name__ == "__main__":
    unittest.main()
