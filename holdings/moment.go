package holdings

import "time"

// moment is a time in a third of the memory of a [time.Time]: its microseconds since 1970. Each package has several.
type moment int64

// momentOf returns the moment of a time, which may be zero.
func momentOf(t time.Time) moment { return moment(t.UnixMicro()) }

// Time returns the time in UTC.
func (m moment) Time() time.Time { return time.UnixMicro(int64(m)).UTC() }

// known reports whether the moment is that of a time other than zero.
func (m moment) known() bool { return !m.Time().IsZero() }
