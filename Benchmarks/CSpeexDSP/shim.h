#pragma once
// Benchmarks/Twins/voice_only.c includes <speex/speex_preprocess.h>. Nothing but the benchmarks links it.
