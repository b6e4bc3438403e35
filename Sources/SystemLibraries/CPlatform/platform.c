#include "denormals.h"
