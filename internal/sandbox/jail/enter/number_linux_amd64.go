package enter

const sysSeccomp = 317
