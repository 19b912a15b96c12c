// Compares the declarations of lib/CAPI/XLAInterface.h with those of jaxlib's
// header.

#include "XLAInterface.h"

#include "xla/ffi/api/c_api.h"

namespace xla = mlir::attn::xla;

#define SAME(ours, ourMember, theirs, theirMember)                             \
  static_assert(offsetof(xla::ours, ourMember) ==                              \
                    offsetof(theirs, theirMember) &&                           \
                sizeof(xla::ours::ourMember) == sizeof(theirs::theirMember))
#define WHOLE(ours, theirs) static_assert(sizeof(xla::ours) == sizeof(theirs))

SAME(Extension, size, XLA_FFI_Extension_Base, struct_size);
SAME(Extension, type, XLA_FFI_Extension_Base, type);
SAME(Extension, next, XLA_FFI_Extension_Base, next);
static_assert(xla::kMetadata == XLA_FFI_Extension_Metadata);
SAME(Version, extensions, XLA_FFI_Api_Version, extension_start);
SAME(Version, major, XLA_FFI_Api_Version, major_version);
SAME(Version, minor, XLA_FFI_Api_Version, minor_version);
WHOLE(TypeId, XLA_FFI_TypeId);
SAME(TypeInfo, deleter, XLA_FFI_TypeInfo, deleter);
SAME(Metadata, version, XLA_FFI_Metadata, api_version);
SAME(Metadata, traits, XLA_FFI_Metadata, traits);
SAME(Metadata, state, XLA_FFI_Metadata, state_type_id);
static_assert(xla::kCommandBufferCompatible ==
              XLA_FFI_HANDLER_TRAITS_COMMAND_BUFFER_COMPATIBLE);
SAME(MetadataExtension, metadata, XLA_FFI_Metadata_Extension, metadata);
SAME(Span, data, XLA_FFI_ByteSpan, ptr);
SAME(Span, size, XLA_FFI_ByteSpan, len);
SAME(Array, dtype, XLA_FFI_Array, dtype);
SAME(Array, size, XLA_FFI_Array, size);
SAME(Array, data, XLA_FFI_Array, data);
static_assert(int(xla::kArray) == XLA_FFI_AttrType_ARRAY &&
              int(xla::kString) == XLA_FFI_AttrType_STRING);
SAME(Buffer, dtype, XLA_FFI_Buffer, dtype);
SAME(Buffer, data, XLA_FFI_Buffer, data);
SAME(Buffer, rank, XLA_FFI_Buffer, rank);
SAME(Buffer, sizes, XLA_FFI_Buffer, dims);
SAME(Buffers, count, XLA_FFI_Args, size);
SAME(Buffers, buffers, XLA_FFI_Args, args);
SAME(Buffers, count, XLA_FFI_Rets, size);
SAME(Buffers, buffers, XLA_FFI_Rets, rets);
WHOLE(Buffers, XLA_FFI_Args);
WHOLE(Buffers, XLA_FFI_Rets);
SAME(Attributes, count, XLA_FFI_Attrs, size);
SAME(Attributes, types, XLA_FFI_Attrs, types);
SAME(Attributes, names, XLA_FFI_Attrs, names);
SAME(Attributes, values, XLA_FFI_Attrs, attrs);
static_assert(int(xla::kInstantiate) == XLA_FFI_ExecutionStage_INSTANTIATE &&
              int(xla::kInitialize) == XLA_FFI_ExecutionStage_INITIALIZE &&
              int(xla::kExecute) == XLA_FFI_ExecutionStage_EXECUTE);
SAME(ErrorArguments, message, XLA_FFI_Error_Create_Args, message);
SAME(ErrorArguments, code, XLA_FFI_Error_Create_Args, errc);
SAME(DestroyArguments, error, XLA_FFI_Error_Destroy_Args, error);
SAME(StateArguments, context, XLA_FFI_State_Set_Args, ctx);
SAME(StateArguments, stage, XLA_FFI_State_Set_Args, stage);
SAME(StateArguments, type, XLA_FFI_State_Set_Args, type_id);
SAME(StateArguments, state, XLA_FFI_State_Set_Args, state);
SAME(StateArguments, stage, XLA_FFI_State_Get_Args, stage);
SAME(StateArguments, state, XLA_FFI_State_Get_Args, state);
SAME(StreamArguments, context, XLA_FFI_Stream_Get_Args, ctx);
SAME(StreamArguments, stream, XLA_FFI_Stream_Get_Args, stream);
SAME(Api, version, XLA_FFI_Api, api_version);
SAME(Api, createError, XLA_FFI_Api, XLA_FFI_Error_Create);
SAME(Api, destroyError, XLA_FFI_Api, XLA_FFI_Error_Destroy);
SAME(Api, getStream, XLA_FFI_Api, XLA_FFI_Stream_Get);
SAME(Api, setState, XLA_FFI_Api, XLA_FFI_State_Set);
SAME(Api, getState, XLA_FFI_Api, XLA_FFI_State_Get);
SAME(CallFrame, api, XLA_FFI_CallFrame, api);
SAME(CallFrame, context, XLA_FFI_CallFrame, ctx);
SAME(CallFrame, stage, XLA_FFI_CallFrame, stage);
SAME(CallFrame, operands, XLA_FFI_CallFrame, args);
SAME(CallFrame, results, XLA_FFI_CallFrame, rets);
SAME(CallFrame, attributes, XLA_FFI_CallFrame, attrs);

// The numbers of element types that XLA.cpp assumes.
static_assert(XLA_FFI_DataType_PRED == 1 && XLA_FFI_DataType_S8 == 2 &&
              XLA_FFI_DataType_S16 == 3 && XLA_FFI_DataType_S32 == 4 &&
              XLA_FFI_DataType_S64 == 5 && XLA_FFI_DataType_F16 == 10 &&
              XLA_FFI_DataType_F32 == 11 && XLA_FFI_DataType_F64 == 12 &&
              XLA_FFI_DataType_BF16 == 16 && XLA_FFI_DataType_F8E5M2 == 19 &&
              XLA_FFI_DataType_F8E4M3FN == 20);
static_assert(xla::kMajor == XLA_FFI_API_MAJOR &&
              xla::kMinor <= XLA_FFI_API_MINOR);
