package main

// goal is a requirement of issue 3 or 17 and its measured value.
type goal struct {
	What, Want, Got string
	Met             bool
}

// Verdict returns the end of the goal's line.
func (g goal) Verdict() string {
	if g.Met {
		return "met"
	}
	return "**missed**"
}

// Goals returns the goals for reading: processor time relative to the floor, time on two cores,
// memory, and faster than the peers.
func (r reading) Goals() []goal {
	q := r.Quire
	goals := []goal{
		{"processor time to the floor", "at most 1.2", ratio(q.CPU, r.Floor.Total), q.CPU <= 1.2*r.Floor.Total},
		{"wall-clock to processor time, on two cores", "at most 0.65", ratio(q.Wall, q.CPU), q.Wall <= 0.65*q.CPU},
		{"resident memory", "below 150 MB", resident(q.RSS), q.RSS*1024 < 150e6},
	}
	for _, by := range []struct {
		clock string
		of    func(usage) float64
	}{
		{"processor time", func(u usage) float64 { return u.CPU }},
		{"wall-clock time", func(u usage) float64 { return u.Wall }},
	} {
		if p := r.fastest(by.of); p != nil {
			goals = append(goals, goal{by.clock + " of " + p.Name + ", the fastest that reads records",
				"above " + seconds(by.of(q.usage)),
				seconds(by.of(p.usage)), by.of(p.usage) > by.of(q.usage)})
		}
	}
	return goals
}

// fastest returns the peer with the lowest time, by a clock, among the peers that read records.
func (r reading) fastest(clock func(usage) float64) *peer {
	var first *peer
	for i := range r.Peers {
		p := &r.Peers[i]
		if p.Absent == "" && p.Version != "" && (first == nil || clock(p.usage) < clock(first.usage)) {
			first = p
		}
	}
	return first
}
