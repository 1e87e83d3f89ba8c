# Reads the feeds argv[2:] of the server argv[1] with feedparser. Prints the form of each feed, what its reader had to
# mend, and of each entry the title, the year and the link. Then it prints what robots.txt lets a crawler read.
import sys
import urllib.robotparser

import feedparser

base = sys.argv[1]
for path in sys.argv[2:]:
    feed = feedparser.parse(base + path)
    print(path, feed.version, feed.get('bozo_exception', 'sound'), feed.feed.title)
    for entry in feed.entries:
        entry.id  # each has one, and a date
        print(' ', entry.title, entry.updated_parsed.tm_year, entry.link.removeprefix(base))
robots = urllib.robotparser.RobotFileParser(base + '/robots.txt')
robots.read()
# This parser knows no $, so / alone is closed to it.
for path in '/site/a', '/search?q=ship', '/all/20120102030405mp_/http://a.example/':
    print(path, 'open' if robots.can_fetch('crawler', base + path) else 'closed')
