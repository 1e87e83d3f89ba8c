package main

import _ "time/tzdata" // rights have days; images from scratch and Windows have no time zones of their own
