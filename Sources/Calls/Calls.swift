// Calls use the engine of channels: programs import one module.
//
//     import Calls
@_exported public import Channels
