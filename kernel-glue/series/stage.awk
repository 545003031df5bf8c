# SPDX-License-Identifier: GPL-2.0-only OR MIT
# usage: awk -v stage=N -v inode=FUNCTION -f stage.awk FILE
#
# One source as the Nth patch leaves it. A line "//+N" begins what is there from the Nth patch on, "//<N" what
# is there before it, and "//-" ends either. @INODE@ is the tree's name for the inode of a mapping.
/^\/\/\+/ { keep = stage >= substr($0, 4) + 0 ? 1 : 0; inside = 1; next }
/^\/\/</ { keep = stage < substr($0, 4) + 0 ? 1 : 0; inside = 1; next }
/^\/\/-/ { inside = 0; next }
inside && !keep { next }
{ gsub(/@INODE@/, inode); print }
