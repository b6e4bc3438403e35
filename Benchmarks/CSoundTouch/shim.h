#pragma once
// C++ only: Benchmarks/Twins/shift.cpp includes <SoundTouch.h>. Nothing but the benchmarks links it.
