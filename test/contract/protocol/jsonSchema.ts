import * as z from 'zod/mini';

const base = z.object({
  type: z.optional(z.string()),
  const: z.optional(z.union([z.string(), z.number()])),
  enum: z.optional(z.array(z.string())),
  pattern: z.optional(z.string()),
  minLength: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  minItems: z.optional(z.number()),
  maxItems: z.optional(z.number()),
  required: z.optional(z.array(z.string())),
  additionalProperties: z.optional(z.unknown()),
  get items(): z.ZodMiniOptional<typeof base> {
    return z.optional(base);
  },
  get properties(): z.ZodMiniOptional<z.ZodMiniRecord<z.ZodMiniString, typeof base>> {
    return z.optional(z.record(z.string(), base));
  },
  get anyOf(): z.ZodMiniOptional<z.ZodMiniArray<typeof base>> {
    return z.optional(z.array(base));
  },
  get oneOf(): z.ZodMiniOptional<z.ZodMiniArray<typeof base>> {
    return z.optional(z.array(base));
  },
});
export type JsonSchema = z.infer<typeof base>;

/** What a schema accepts, in the words of JSON Schema. What has none there reads as anything. */
export function jsonSchemaOf(schema: z.ZodMiniType): JsonSchema {
  return base.parse(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
}
