/* kernel_name.h - names of kernels for people. */
#ifndef WSIM_KERNEL_NAME_H
#define WSIM_KERNEL_NAME_H

/* A name as the source has it, without the types of parameters: ns::scale<4> for
 * _ZN2ns5scaleILi4EEEvPf. It is the name itself if it is not mangled, or if the machine has no C++
 * library. It is masked and cut. */
#define KERNEL_NAME 100
struct kernel_name {
    char text[KERNEL_NAME + 4];
};
struct kernel_name kernel_name(const char *mangled);

/* A sentence with all its mangled names as above, to be freed. */
char *kernel_text(const char *text);

#endif
