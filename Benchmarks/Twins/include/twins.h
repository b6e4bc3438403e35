#pragma once

// What the Swift code is measured against: the same work in C and C++, compiled for the same instruction set.

#include <sched.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Lets a spinning thread rest; gives the processor away now and then, for machines with more threads than cores.
static inline void twin_relax(long spins) {
#if defined(__SSE2__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
  if (spins % 1024 == 1023) { sched_yield(); }
}

// Keeps the compiler from seeing what becomes of a value.
static inline void twin_use(int64_t value) { __asm__ volatile("" : : "r"(value) : "memory"); }

// --- Ring: `Ring` of the module LockFree, statement by statement. Tokens are 8 bytes, frames a header and 480 floats.
typedef struct twin_token_ring twin_token_ring;
typedef struct twin_frame_ring twin_frame_ring;
twin_token_ring *twin_token_ring_create(long capacity);
void twin_token_ring_destroy(twin_token_ring *ring);
twin_frame_ring *twin_frame_ring_create(long capacity);
void twin_frame_ring_destroy(twin_frame_ring *ring);

// Pushes `batch` elements, then takes as many, until `count` have passed. Eager: one commit and release each.
// Returns: the sum of what came out.
int64_t twin_token_ring_pass(twin_token_ring *ring, long count, long batch, int eager);
int64_t twin_frame_ring_pass(twin_frame_ring *ring, long count);
// As above, the consumer on a thread of its own. Returns: nanoseconds from the first push to the last take.
double twin_token_ring_race(twin_token_ring *ring, long count, long batch, int eager, int64_t *sum);
double twin_frame_ring_race(twin_frame_ring *ring, long count, int64_t *sum);

// --- Samples.
void twin_to_int16(const float *input, int16_t *output, long count);
void twin_to_float(const int16_t *input, float *output, long count);
void twin_interleave(const float *left, const float *right, float *output, long count);
void twin_deinterleave(const float *input, float *left, float *right, long count);
void twin_interleave_int16(const float *left, const float *right, int16_t *output, long count);
void twin_deinterleave_int16(const int16_t *input, float *left, float *right, long count);
// Sum of squares, plus the greatest magnitude: what a level meter finds.
float twin_level(const float *input, long count);
// The pure delay of a limiter that is not armed: the past, then the frame; both kept in one line.
void twin_delay(float *line, const float *input, float *output, long delay, long count);

// --- Mixing. A source's gains move from start to end over the frame, or stay at end.
typedef struct {
  const float *samples;
  float left_start, left_end, right_start, right_end;
} twin_source;
// Eight sources by sixteen samples at a time, the sums in registers. Shape: aligned to 16 bytes, count % 16 == 0.
void twin_mix(const twin_source *sources, long sourceCount, float *left, float *right, long count);
void twin_mix_ramped(const twin_source *sources, long sourceCount, float *left, float *right, long count);

// --- Opus: encoder and decoder by themselves.
typedef struct twin_codec twin_codec;
twin_codec *twin_codec_create(int bitrate, int complexity, int samplesPerPacket);
void twin_codec_destroy(twin_codec *codec);
// One packet there and back. Returns: its bytes, or an error below 0.
int twin_codec_run(twin_codec *codec, const float *input, float *output);

// --- Pitch: aubio's yinfft on one channel.
typedef struct twin_pitch twin_pitch;
twin_pitch *twin_pitch_create(int sampleRate, int window, int hop);
void twin_pitch_destroy(twin_pitch *twin);
// Takes `hop` samples. Returns: the pitch of the last `window` in Hz; `confidence` is 0 to 1.
float twin_pitch_run(twin_pitch *twin, const float *samples, float *confidence);

// --- Pitch shift: SoundTouch, set as its own program sets it for speech. Mono, 48 kHz.
typedef struct twin_shift twin_shift;
twin_shift *twin_shift_create(double ratio);
void twin_shift_destroy(twin_shift *shift);
// Takes `count` samples and gives at most as many. Returns: those given.
long twin_shift_run(twin_shift *shift, const float *input, float *output, long count);

// --- Voice only: speexdsp's noise suppressor, set to 25 dB. Mono, frames of a fixed length, in place.
typedef struct twin_denoiser twin_denoiser;
twin_denoiser *twin_denoiser_create(int sampleRate, int samplesPerFrame);
void twin_denoiser_destroy(twin_denoiser *denoiser);
void twin_denoiser_run(twin_denoiser *denoiser, short *samples);

// --- Files: two 16-bit stereo WAVs with 44 bytes of header, added up and panned to the left (left = near x left +
// far x right, right = far x right), in blocks of 16 Ki samples. Returns: 0, or -1 with errno.
int twin_mix_files(const char *input, const char *other, const char *output, float near, float far, float otherGain);

// A file read and written again by libsndfile, as floats, 480 frames a call. Returns: 0, or -1.
int twin_copy_file(const char *input, const char *output);

// --- Relay: packets of a publisher, decrypted once and encrypted for each listener by OpenSSL, AES-128-GCM.
typedef struct twin_relay twin_relay;
twin_relay *twin_relay_create(int listeners, long capacity);
void twin_relay_destroy(twin_relay *relay);
// Makes as many encrypted packets of the publisher as the capacity.
void twin_relay_prepare(twin_relay *relay);
// Forwards them. Returns: bytes sent.
long twin_relay_run(twin_relay *relay);

// --- Drift: libsamplerate alone, at a ratio of two clocks that differ by 200 ppm, with its fastest sinc.
void *twin_drift_create(int channels);
void twin_drift_destroy(void *state);
// Converts interleaved samples; returns how many per channel came out.
long twin_drift_convert(void *state, const float *input, float *output, long count);

#ifdef __cplusplus
}
#endif
