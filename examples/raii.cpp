/* build with: c++ -std=c++11 -O2 -I. examples/raii.cpp -o build/raii
 *
 * A trainer that owns its memory, as C++ has it: vectors hold the arrays, errors are exceptions, and what was saved goes
 * into another one. Three classes of points, by the mean of all weights.
 *
 * It prints:
 *
 *     300 rows, 17 updates, 99 of 100 new rows right
 *     moved and loaded: the same 100 predictions
 *     a row too long: a feature index that the model does not have (0 is the first); kernels: or not ascending
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <cstdio>
#include <stdexcept>
#include <vector>

class Classifier {
  public:
    Classifier(uint32_t features, uint32_t classes)
        : memory(PCN_PERCEPTRON_FLOATS(features, classes)), sum(PCN_AVERAGING_FLOATS(features, classes)),
          mean(PCN_LINEAR_FLOATS(features, classes))
    {
        check(pcn_perceptron_init(&m, features, classes, memory.data(), bytes(memory)));
        check(pcn_perceptron_use_averaging(&m, sum.data(), bytes(sum)));
    }
    Classifier(Classifier &&) = default; /* vectors that move keep their arrays, to which m points; copies would not */

    void learn(const std::vector<float> &x, int y) { check(pcn_perceptron_learn(&m, row(x), y)); }
    void freeze() { check(pcn_perceptron_final(&m, &frozen, mean.data(), bytes(mean))); } /* before predictions */
    int predict(const std::vector<float> &x) const { return check(pcn_linear_predict(&frozen, row(x))); }
    const pcn_count &count() const { return m.learner.count; }

    std::vector<uint8_t> save() const
    {
        std::vector<uint8_t> image(pcn_perceptron_save_part(&m, 0, nullptr, 0)); /* asks for the length */
        if (pcn_perceptron_save(&m, image.data(), image.size()) == 0) throw std::runtime_error("cannot be saved");
        return image;
    }
    void load(const std::vector<uint8_t> &image) { check(pcn_perceptron_load(&m, image.data(), image.size())); }

  private:
    static size_t bytes(const std::vector<float> &v) { return v.size() * sizeof(float); }
    static pcn_vec row(const std::vector<float> &x) { return pcn_dense(x.data(), static_cast<uint32_t>(x.size())); }
    static int check(int result)
    {
        if (result < 0) throw std::runtime_error(pcn_error_text(result));
        return result;
    }
    std::vector<float> memory, sum, mean;
    pcn_perceptron m;
    pcn_linear frozen;
};

int main()
{
    const int center[3][2] = {{2, 0}, {-1, 2}, {-1, -2}};
    uint32_t state = 1;
    auto noise = [&] { return static_cast<float>((state = state * 1664525u + 1013904223u) >> 24) / 128.0f - 1; };
    auto point = [&](int y) {
        const float x1 = static_cast<float>(center[y][0]) + noise() + noise();
        return std::vector<float>{x1, static_cast<float>(center[y][1]) + noise() + noise()};
    };
    Classifier first(2, 3), second(2, 3);
    for (int i = 0; i < 300; i++) first.learn(point(i % 3), i % 3);
    first.freeze();
    second.load(first.save());
    second.freeze();
    Classifier moved = static_cast<Classifier &&>(second);
    int right = 0, same = 0;
    for (int i = 0; i < 100; i++) {
        const std::vector<float> x = point(i % 3);
        right += first.predict(x) == i % 3;
        same += first.predict(x) == moved.predict(x);
    }
    std::printf("%d rows, %d updates, %d of 100 new rows right\n", static_cast<int>(first.count().rows),
                static_cast<int>(first.count().updates), right);
    std::printf("moved and loaded: the same %d predictions\n", same);
    try {
        first.learn({1, 2, 3}, 0);
    } catch (const std::exception &error) {
        std::printf("a row too long: %s\n", error.what());
    }
}
