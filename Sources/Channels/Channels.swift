// The events and options of channels use the codes and messages of signalling: programs import one module.
//
//     import Channels
@_exported public import Signalling
