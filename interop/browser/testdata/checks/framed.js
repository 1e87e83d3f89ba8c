parent.seen.capturedFile = [parent.location.host, location.href];
