// Programs that make a pipeline push to it and pull from it: they import one module.
@_exported public import PushPull
// Calls and events of a pipeline name its types.
@_exported public import Recordings
