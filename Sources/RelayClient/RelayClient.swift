// The events and options of connections use the codes and messages of signalling: programs import one module.
//
//     import RelayClient
@_exported public import Signalling
