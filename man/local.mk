dist_man_MANS = man/lunscope.1
