#pragma once
// Callbacks over stdio, which nothing here uses.
#define OV_EXCLUDE_STATIC_CALLBACKS
#include <vorbis/vorbisfile.h>
