# SPDX-License-Identifier: GPL-2.0-only OR MIT
# In the guest: the real perf with the test PMU. Each line "PERF case" is followed by what /prog says.
event=itf_test//
b=/bin/busybox
record()
{
	echo "PERF $1"
	shift
	perf record -o /tmp/data -e $event "$@" >/tmp/log 2>&1 || $b cat /tmp/log
	$b grep PROG /tmp/log
	$b rm -f /tmp/data
}

record launch:main --filter 'filter main @ /prog' /prog
record launch:work,more --filter 'filter work @ /prog' --filter 'filter more @ /prog' /prog
record launch:work/more --filter 'filter work @ /prog, tracestop more @ /prog' /prog

/prog >/tmp/attached &
echo 'PERF attach:main'
perf record -o /tmp/data -e $event --filter 'filter main @ /prog' -p $! >/tmp/log 2>&1 || $b cat /tmp/log
$b grep PROG /tmp/attached
