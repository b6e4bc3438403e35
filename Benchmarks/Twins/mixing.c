#include "twins.h"

typedef float lanes __attribute__((vector_size(16)));

static inline lanes all(float value) { return (lanes){value, value, value, value}; }

#define TILE 16
#define GROUP 8

void twin_mix(const twin_source *sources, long sourceCount, float *left, float *right, long count) {
  for (long first = 0; first < sourceCount; first += GROUP) {
    long last = first + GROUP < sourceCount ? first + GROUP : sourceCount;
    for (long at = 0; at < count; at += TILE) {
      lanes *l = (lanes *)(left + at), *r = (lanes *)(right + at);
      lanes l0, l1, l2, l3, r0, r1, r2, r3;
      if (first == 0) {
        l0 = l1 = l2 = l3 = r0 = r1 = r2 = r3 = all(0);
      } else {
        l0 = l[0], l1 = l[1], l2 = l[2], l3 = l[3], r0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3];
      }
      for (long index = first; index < last; index++) {
        const lanes *s = (const lanes *)(sources[index].samples + at);
        lanes gl = all(sources[index].left_end), gr = all(sources[index].right_end);
        l0 += s[0] * gl, r0 += s[0] * gr;
        l1 += s[1] * gl, r1 += s[1] * gr;
        l2 += s[2] * gl, r2 += s[2] * gr;
        l3 += s[3] * gl, r3 += s[3] * gr;
      }
      l[0] = l0, l[1] = l1, l[2] = l2, l[3] = l3, r[0] = r0, r[1] = r1, r[2] = r2, r[3] = r3;
    }
  }
}

void twin_mix_ramped(const twin_source *sources, long sourceCount, float *left, float *right, long count) {
  const lanes steps = {1, 2, 3, 4};
  for (long first = 0; first < sourceCount; first += GROUP) {
    long last = first + GROUP < sourceCount ? first + GROUP : sourceCount;
    for (long at = 0; at < count; at += TILE) {
      lanes *l = (lanes *)(left + at), *r = (lanes *)(right + at);
      lanes l0, l1, l2, l3, r0, r1, r2, r3;
      if (first == 0) {
        l0 = l1 = l2 = l3 = r0 = r1 = r2 = r3 = all(0);
      } else {
        l0 = l[0], l1 = l[1], l2 = l[2], l3 = l[3], r0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3];
      }
      const lanes where = (steps + all((float)at)) / all((float)count);
      for (long index = first; index < last; index++) {
        const twin_source *source = sources + index;
        const lanes *s = (const lanes *)(source->samples + at);
        float changeLeft = source->left_end - source->left_start;
        float changeRight = source->right_end - source->right_start;
        lanes gl = all(source->left_start) + where * all(changeLeft);
        lanes gr = all(source->right_start) + where * all(changeRight);
        lanes dl = all(changeLeft * (4.0f / (float)count)), dr = all(changeRight * (4.0f / (float)count));
        l0 += s[0] * gl, r0 += s[0] * gr, gl += dl, gr += dr;
        l1 += s[1] * gl, r1 += s[1] * gr, gl += dl, gr += dr;
        l2 += s[2] * gl, r2 += s[2] * gr, gl += dl, gr += dr;
        l3 += s[3] * gl, r3 += s[3] * gr;
      }
      l[0] = l0, l[1] = l1, l[2] = l2, l[3] = l3, r[0] = r0, r[1] = r1, r[2] = r2, r[3] = r3;
    }
  }
}
