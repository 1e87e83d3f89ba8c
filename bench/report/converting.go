package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// converting compares quire convert with the unavoidable work: inflating the ARC and deflating the
// WARC.
type converting struct {
	ARC, WARC        int64 // bytes as stored
	Convert          usage
	Inflate, Deflate float64 // seconds of CPU
}

// Floor returns the minimum processor time of converting with these libraries, in seconds.
func (c converting) Floor() float64 { return c.Inflate + c.Deflate }

// Goals returns the goals of issue 4.
func (c converting) Goals() []goal {
	return []goal{
		{"processor time to the floor", "at most 1.6", ratio(c.Convert.CPU, c.Floor()), c.Convert.CPU <= 1.6*c.Floor()},
		{"resident memory", "below 100 MB", resident(c.Convert.RSS), c.Convert.RSS*1024 < 100e6},
	}
}

// measureConverting runs once, because it takes minutes and processor time varies little.
func measureConverting(o options) (converting, error) {
	arc, out := filepath.Join(o.work, "large.arc.gz"), filepath.Join(o.work, "converted")
	var c converting
	if err := os.RemoveAll(out); err != nil {
		return c, err
	}
	u, _, err := run(o.quire, "convert", arc, "--out", out)
	if err != nil {
		return c, err
	}
	c.Convert = u
	warc := filepath.Join(out, "large.warc.gz")
	_, text, err := run(filepath.Join(o.tool, "recode"), arc, warc)
	if err != nil {
		return c, err
	}
	if c.Inflate, c.Deflate, err = parseRecode(string(text)); err != nil {
		return c, err
	}
	for path, size := range map[string]*int64{arc: &c.ARC, warc: &c.WARC} {
		info, err := os.Stat(path)
		if err != nil {
			return c, err
		}
		*size = info.Size()
	}
	return c, os.RemoveAll(out)
}

// parseRecode reads the output of recode.
func parseRecode(text string) (inflate, deflate float64, err error) {
	if _, err := fmt.Sscanf(text, "inflate %f deflate %f\n", &inflate, &deflate); err != nil {
		return 0, 0, fmt.Errorf("recode printed %q: %w", text, err)
	}
	return inflate, deflate, nil
}
