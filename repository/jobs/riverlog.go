package jobs

import (
	"context"
	"log/slog"
	"strings"
)

// riverLog gives River's warnings and errors to the log of the worker. Errors of a job are in its report, too.
type riverLog struct{ w *worker }

// Enabled implements [slog.Handler].
func (l *riverLog) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle implements [slog.Handler].
func (l *riverLog) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString(r.Message)
	r.Attrs(func(a slog.Attr) bool {
		b.WriteString(" " + a.Key + "=" + a.Value.String())
		return true
	})
	l.w.log(Entry{Event: "river", Detail: b.String()})
	return nil
}

// WithAttrs implements [slog.Handler]; River's own attributes are not needed.
func (l *riverLog) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements [slog.Handler].
func (l *riverLog) WithGroup(string) slog.Handler { return l }
