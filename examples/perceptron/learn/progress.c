#include "progress.h"
#include "report/svg.h"

void progress_start(progress *w, const pcn_count *now)
{
    w->next_report = now->rows + 1;
    w->reported = *now;
}

/* Is it time for another line? */
static int is_due(progress *w, const pcn_count *now)
{
    if (w->quiet || w->tests || w->steps || now->rows < w->next_report) return 0;
    while (w->next_report <= now->rows) w->next_report *= 2;
    return system_is_terminal() || seconds() - w->began >= 1;
}

void progress_rows(progress *w, const pcn_count *now, uint32_t epoch)
{
    uint64_t rows_since = now->rows - w->reported.rows;
    if (!is_due(w, now)) return;
    if (!w->table_begun)
        fprintf(stderr, "%12s %6s %12s %12s %14s\n", "rows", "epoch", "updates", "mistakes", "mistakes since");
    w->table_begun = 1;
    fprintf(stderr, "%12llu %6lu %12llu %12llu %12.2f %%\n", (unsigned long long)now->rows,
            (unsigned long)(epoch ? epoch : 1), (unsigned long long)now->updates, (unsigned long long)now->mistakes,
            100.0 * (double)(now->mistakes - w->reported.mistakes) / (double)rows_since);
    w->reported = *now;
}

void progress_stream(progress *w, const pcn_count *now)
{
    const uint64_t rows = now->rows - w->reported.rows;
    if (!is_due(w, now)) return;
    if (!w->table_begun) fprintf(stderr, "%12s %12s %14s %14s\n", "rows", "updates", "error so far", "error since");
    w->table_begun = 1;
    fprintf(stderr, "%12llu %12llu %12.2f %% %12.2f %%\n", (unsigned long long)now->rows,
            (unsigned long long)now->updates, 100.0 * (double)now->mistakes / (double)now->rows,
            100.0 * (double)(now->mistakes - w->reported.mistakes) / (double)rows);
    w->reported = *now;
}

void progress_epoch(progress *w, const epoch_result *e)
{
    arrput(w->epochs, *e);
    if (!(w->tests || w->steps) || w->quiet) return;
    if (arrlenu(w->epochs) == 1)
        fprintf(stderr, "%6s %12s %12s%s%s\n", "epoch", "updates", "mistakes", w->steps ? "    mean step" : "",
                w->tests ? "   test error" : "");
    fprintf(stderr, "%6zu %12llu %12llu", (size_t)arrlenu(w->epochs), (unsigned long long)e->updates,
            (unsigned long long)e->mistakes);
    if (w->steps) fprintf(stderr, " %12.6g", e->step);
    if (w->tests) fprintf(stderr, " %10.2f %%", 100 * e->test_error);
    fputc('\n', stderr);
}

void progress_plot(const progress *w, uint64_t rows, FILE *f)
{
    size_t i, n = arrlenu(w->epochs);
    double *series = allocate(4 * n, sizeof *series), *epoch = series, *updates = series + n,
           *mistakes = series + 2 * n, *error = series + 3 * n;
    char subtitle[160];
    const svg_line counts[] = {{"updates", epoch, updates, n, SVG_ORANGE}, {"mistakes", epoch, mistakes, n, SVG_GREY}};
    const svg_line errors[] = {{"test error", epoch, error, n, SVG_BLUE}};
    const svg_panel panels[] = {{{"Updates and mistakes", "", 1}, 220, counts, 2},
                                {{"Test error", " %", 0}, 220, errors, 1}};
    const svg_chart chart = {"Learning by epoch", subtitle, {"epoch", "", 1}, 500, panels, w->tests ? 2 : 1};
    for (i = 0; i < n; i++) {
        epoch[i] = (double)(i + 1);
        updates[i] = (double)w->epochs[i].updates;
        mistakes[i] = (double)w->epochs[i].mistakes;
        error[i] = w->tests ? 100 * w->epochs[i].test_error : 0;
    }
    snprintf(subtitle, sizeof subtitle, "%llu rows an epoch%s", (unsigned long long)rows,
             w->tests ? ", and the rows of --test after each" : "");
    svg_draw(f, &chart);
    free(series);
}
