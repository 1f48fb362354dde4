// What both sources declare.
typedef float (*op)(float);
__device__ float half(float x);
__device__ float twice(float x);
__device__ float mix(float x, int i);
__device__ int own_of_parts();

// A definition in each of them: one is taken.
template <int N> __device__ __noinline__ float clamped(float x) {
    return x > N ? N : x;
}
